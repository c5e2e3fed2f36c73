"""What can go wrong, grouped by when.

* ToolferryError
  + CallRejected          before a handler is called
    - InvalidArguments
  + ArgumentFault         while reading the arguments of a call
  + ConversionFailed      while turning what a handler returned into JSON data
  + CheckpointInvalid     while a handler keeps something for its next attempt
  + ResultUnavailable     while gathering
    - ResultTimedOut, TurnUnknown
  + LedgerUnavailable     whenever the server is needed
  + ResponseMalformed     while reading a model's response
  + ConfigurationError    at start
    - ToolInvalid
      . SchemaInvalid, ToolNameEmpty, HandlerMissing, ToolDuplicate, ToolNotRegistered, ToolUnclear
    - DefinitionMalformed
    - LifespanInvalid

A handler speaks with `ToolError`, `RetryCall` and `CancelCall`, which are signals, not failures
of Toolferry.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from toolferry.codes import CODE_DEFAULTS, ErrorCode
from toolferry.linting.finding import Finding
from toolferry.result import CallError, Fault
from toolferry.states import Effect


class ToolferryError(Exception):
    """The root of all errors that Toolferry raises."""


class CallRejected(ToolferryError):
    """A call was refused before its handler was called."""

    def __init__(self, call_id: str, reason: str) -> None:
        super().__init__(call_id, reason)
        self.call_id = call_id
        self.reason = reason

    def __str__(self) -> str:
        return f"call {self.call_id}: {self.reason}"


class InvalidArguments(CallRejected):
    """The arguments do not fit the tool; `faults` lists what is wrong."""

    def __init__(self, call_id: str, reason: str, faults: tuple[Fault, ...] = ()) -> None:
        super().__init__(call_id, reason)
        self.args = (call_id, reason, faults)
        self.faults = faults


class ArgumentFault(ToolferryError):
    """The arguments of a call cannot be read as one JSON object; the model should send them again.

    Args:
        code: `INVALID_JSON`, `MULTIPLE_OBJECTS`, `TRUNCATED` or `TOO_DEEP`.
        message: One sentence for the model, with the position where there is one.
    """

    def __init__(self, code: ErrorCode, message: str) -> None:
        super().__init__(code, message)
        self.code = code
        self.message = message

    def __str__(self) -> str:
        return f"{self.code}: {self.message}"

    def error(self) -> CallError:
        """Give the error that belongs into the call's result."""
        return CallError.of(self.code, self.message)


class ConversionFailed(ToolferryError):
    """What a handler returned cannot become a result; another attempt cannot help.

    Args:
        tool: The tool's name.
        reason: One sentence for the model: the type and the place, never the value.
        code: `BAD_RESULT` or `RESULT_TOO_LARGE`.
        undo: The arguments that take back what was done all the same; None when nothing does.
    """

    def __init__(
        self,
        tool: str,
        reason: str,
        code: ErrorCode = ErrorCode.BAD_RESULT,
        undo: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(tool, reason, code, undo)
        self.tool = tool
        self.reason = reason
        self.code = code
        self.undo = undo

    def __str__(self) -> str:
        return f"tool {self.tool}: {self.reason}"

    def error(self) -> CallError:
        """Give the error that belongs into the call's result."""
        return CallError.of(self.code, f"The tool {self.tool} {self.reason}.")


class CheckpointInvalid(ToolferryError):
    """What a handler wants to keep is no JSON data, or too much; `reason` says which."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason

    def __str__(self) -> str:
        return f"checkpoint: {self.reason}"


class ResultUnavailable(ToolferryError):
    """A result was asked for that is not there."""

    def __init__(self, turn_id: str, reason: str) -> None:
        super().__init__(turn_id, reason)
        self.turn_id = turn_id
        self.reason = reason

    def __str__(self) -> str:
        return f"turn {self.turn_id}: {self.reason}"


class ResultTimedOut(ResultUnavailable):
    """Some calls were still open when the caller's patience ended."""


class TurnUnknown(ResultUnavailable):
    """The ledger has no such turn, or it has expired."""


class LedgerUnavailable(ToolferryError):
    """The server did not answer, refused, or is too old; names its URL without the password."""

    def __init__(self, url: str, reason: str) -> None:
        super().__init__(url, reason)
        self.url = url
        self.reason = reason

    def __str__(self) -> str:
        return f"server {self.url}: {self.reason}"


class ResponseMalformed(ToolferryError):
    """A model's response does not have its provider's shape; names the field."""

    def __init__(self, field: str, reason: str) -> None:
        super().__init__(field, reason)
        self.field = field
        self.reason = reason

    def __str__(self) -> str:
        return f"response: {self.field}: {self.reason}"


class ConfigurationError(ToolferryError):
    """A setting is missing or wrong; found at start."""

    def __init__(self, setting: str, reason: str) -> None:
        super().__init__(setting, reason)
        self.setting = setting
        self.reason = reason

    def __str__(self) -> str:
        return f"{self.setting}: {self.reason}"


class ToolInvalid(ConfigurationError):
    """A tool cannot be registered; `setting` is its name."""


class SchemaInvalid(ToolInvalid):
    """A tool's schema is no JSON Schema that can be enforced; the reason names the path."""


class ToolNameEmpty(ToolInvalid):
    """A tool without a name cannot be registered."""


class HandlerMissing(ToolInvalid):
    """A tool without a handler cannot be registered."""


class ToolDuplicate(ToolInvalid):
    """The registry has a tool of this name already; `replace` puts another in its place."""


class ToolNotRegistered(ToolInvalid):
    """The registry has no tool of this name, so nothing can be replaced or taken out."""


class ToolUnclear(ToolInvalid):
    """A tool was registered strictly, and the linter found more than advice; see `findings`."""

    def __init__(self, setting: str, reason: str, findings: tuple[Finding, ...] = ()) -> None:
        super().__init__(setting, reason)
        self.args = (setting, reason, findings)
        self.findings = findings


class DefinitionMalformed(ConfigurationError):
    """JSON data is no definition of a tool; `setting` is the member that is wrong."""


class LifespanInvalid(ConfigurationError):
    """A lifespan cannot be registered or started as it is declared; `setting` is its name."""


class ToolError(Exception):
    """A handler's word to the model: the only exception whose text a model reads.

    Args:
        code: An `ErrorCode`, or the tool's own code: lower case, digits and `_`, at most 64.
        message: One sentence for the model; must hold no secret.
        retryable: Whether another attempt may succeed; the code's default when not given, and
            False for a tool's own code.
        suggestion: One sentence: what the model should do now.
    """

    def __init__(
        self,
        code: str,
        message: str,
        retryable: bool | None = None,  # noqa: FBT001 -- an error is these four words, in this order
        suggestion: str | None = None,
    ) -> None:
        super().__init__(code, message, retryable, suggestion)
        defaults = CODE_DEFAULTS.get(ErrorCode(code)) if code in set(ErrorCode) else None
        self.code = str(code)
        self.message = message
        self.retryable = (
            (defaults.retryable if defaults else False) if retryable is None else retryable
        )
        self.suggestion = (
            (defaults.suggestion if defaults else "") if suggestion is None else suggestion
        )

    def __str__(self) -> str:
        return f"{self.code}: {self.message}"


class RetryCall(Exception):
    """A handler's wish to be run again.

    Args:
        after: Seconds to wait at least, 0 or more; the policy's backoff when not given.
        reason: One sentence for the log and, when no attempt is left, for the model.
        effect: The handler's word on what this attempt did: with `Effect.NONE` a tool that may
            not be repeated is run again all the same.
    """

    def __init__(
        self,
        after: float | None = None,
        reason: str = "The tool asked to be tried again.",
        effect: Effect = Effect.POSSIBLE,
    ) -> None:
        super().__init__(after, reason, effect)
        self.after = after
        self.reason = reason
        self.effect = effect


class CancelCall(Exception):
    """A handler's word that the call shall end as cancelled.

    Args:
        reason: One sentence for the model; must hold no secret.
    """

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason
