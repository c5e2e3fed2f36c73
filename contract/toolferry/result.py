"""The result: what became of one call. Exactly one is recorded for each call."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from toolferry.codes import CODE_DEFAULTS, ErrorCode
from toolferry.hint import Hint
from toolferry.states import Effect, Outcome

#: What a model reads when nobody knows whether a call had its effect.
DOUBT: Final = "It may or may not have happened."
#: The version of every record, event and `--json` output that this release writes.
SCHEMA_VERSION: Final = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """One thing that is wrong with the arguments of a call."""

    #: Where, as a path such as `items[2].price`; empty for the whole object.
    path: str
    #: What the schema wants there.
    expected: str
    #: What came, shortened.
    got: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CallError:
    """Why a call did not succeed, fit to be read by a model."""

    #: An `ErrorCode`, or a tool's own code given by `ToolError`.
    code: str
    #: One sentence.
    message: str
    #: Whether the same call, made again, may succeed.
    retryable: bool
    #: One sentence: what to do now.
    suggestion: str
    #: What is wrong with the arguments; empty for other errors.
    faults: tuple[Fault, ...] = ()

    @classmethod
    def of(
        cls,
        code: ErrorCode,
        message: str,
        *,
        suggestion: str | None = None,
        retryable: bool | None = None,
        faults: tuple[Fault, ...] = (),
    ) -> CallError:
        """Build an error, with the code's defaults for what is not given."""
        defaults = CODE_DEFAULTS[code]
        return cls(
            code=code.value,
            message=message,
            retryable=defaults.retryable if retryable is None else retryable,
            suggestion=defaults.suggestion if suggestion is None else suggestion,
            faults=faults,
        )

    def doubtful(self) -> CallError:
        """Give the error of a call that may have had its effect and must not be repeated blindly.

        >>> CallError.of(ErrorCode.TIMEOUT, "Too long.").doubtful().message
        'Too long. It may or may not have happened.'
        """
        suggestion = CODE_DEFAULTS[ErrorCode.WORKER_LOST].suggestion
        message = f"{self.message.removesuffix(DOUBT).strip()} {DOUBT}"
        return replace(self, message=message, retryable=False, suggestion=suggestion)

    def certain(self) -> CallError:
        """Give the error of a call of which it turned out that it had no effect.

        >>> CallError.of(ErrorCode.TIMEOUT, "Too long.").doubtful().certain().message
        'Too long. It did not happen.'
        """
        message = f"{self.message.removesuffix(DOUBT).strip()} It did not happen."
        suggestion = "Make the call again if it is still wanted."
        return replace(self, message=message, retryable=True, suggestion=suggestion)

    def to_json(self) -> dict[str, Any]:
        """Give the JSON form; `faults` only where there are some."""
        data: dict[str, Any] = {
            "code": self.code,
            "message": self.message,
            "retryable": self.retryable,
            "suggestion": self.suggestion,
        }
        if self.faults:
            data["faults"] = [
                {"path": f.path, "expected": f.expected, "got": f.got} for f in self.faults
            ]
        return data

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> CallError:
        """Read the JSON form."""
        faults = tuple(Fault(**fault) for fault in data.get("faults", ()))
        return cls(**{**data, "faults": faults})


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolResult:
    """What became of one call. Times are seconds of the server's clock since the epoch."""

    call_id: str
    #: The tool's name as the model wrote it.
    name: str
    outcome: Outcome
    #: What is known of the call's effect on the world.
    effect: Effect
    #: What the handler returned, as JSON data, after the result adapter; None without success.
    content: Any = None
    error: CallError | None = None
    #: Whether `content` was cut to the tool's size limit.
    truncated: bool = False
    #: Where a following call can go on; None when there is no more.
    next_cursor: str | None = None
    #: Where the content comes from, in the tool's words.
    source: str | None = None
    #: What people see of the content, plain text; None when the tool gave no view. Never told to a
    #: model.
    view: str | None = None
    #: The arguments with which the tool's `undo` takes the call back; None when nothing does. Never
    #: told to a model.
    undo: Mapping[str, Any] | None = None
    #: What policies changed about the arguments, a sentence each; empty when nothing.
    changes: tuple[str, ...] = ()
    #: What the model is told beside the result, a sentence each; empty for nothing.
    notes: tuple[str, ...] = ()
    #: What was put right about the arguments before they were judged: names of `Repair`. Not told
    #: to a model.
    repairs: tuple[str, ...] = ()
    #: What helps a model to mend the call; None when nothing does.
    hint: Hint | None = None
    #: How many attempts were started, 0 or more.
    attempts: int = 0
    requested_at: float = 0.0
    #: When the last attempt started; None when none did.
    started_at: float | None = None
    finished_at: float = 0.0

    @property
    def is_error(self) -> bool:
        """Whether the call ended in any other way than success."""
        return self.outcome is not Outcome.SUCCEEDED

    def to_json(self) -> dict[str, Any]:
        """Give the JSON form that the ledger keeps; without what is not there.

        `view`, `undo`, `changes`, `notes`, `repairs` and `hint` are left out when there is none.
        """
        data: dict[str, Any] = {
            "schema_version": SCHEMA_VERSION,
            "call_id": self.call_id,
            "name": self.name,
            "outcome": self.outcome.value,
            "effect": self.effect.value,
            "content": self.content,
            "error": None if self.error is None else self.error.to_json(),
            "truncated": self.truncated,
            "next_cursor": self.next_cursor,
            "source": self.source,
            "attempts": self.attempts,
            "requested_at": self.requested_at,
            "started_at": self.started_at,
            "finished_at": self.finished_at,
        }
        if self.view is not None:
            data["view"] = self.view
        if self.undo is not None:
            data["undo"] = dict(self.undo)
        if self.changes:
            data["changes"] = list(self.changes)
        if self.notes:
            data["notes"] = list(self.notes)
        if self.repairs:
            data["repairs"] = list(self.repairs)
        if self.hint is not None:
            data["hint"] = self.hint.to_json()
        return data

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> ToolResult:
        """Read the JSON form; unknown keys of a newer release are passed over."""
        known = {name: value for name, value in data.items() if name in _FIELDS}
        known["outcome"] = Outcome(known["outcome"])
        known["effect"] = Effect(known["effect"])
        if known.get("error") is not None:
            known["error"] = CallError.from_json(known["error"])
        for name in _TUPLES & known.keys():
            known[name] = tuple(known[name])
        if "hint" in known:
            known["hint"] = Hint.from_json(known["hint"])
        return cls(**known)


_FIELDS: Final = frozenset(ToolResult.__dataclass_fields__)
_TUPLES: Final = frozenset({"changes", "notes", "repairs"})
