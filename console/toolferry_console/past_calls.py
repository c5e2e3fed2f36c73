"""Past calls, one JSON object a line: what a changed policy is tried on."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from toolferry import Context, Registry, ToolCall
from toolferry_console.errors import InputUnreadable
from toolferry_console.reading import read_text
from toolferry_ledger.audit.telling import KINDS
from toolferry_policies import Deny, Facts, Known, Policy, RequireApproval, judge

#: Lines of an audit that tell of a call and what was decided; its other lines tell what followed.
_OF_CALLS: Final = frozenset({"requested", "refused"})
#: What may stand in a line about whom a call was for, when it has no `context`.
_IDENTITY: Final = ("principal", "tenant", "roles", "permissions", "environment")


@dataclass(frozen=True, slots=True)
class PastCall:
    """A call that was made once."""

    #: The line that tells of it, from 1.
    line: int
    #: The name by which the file knows it; empty when it has none.
    key: str
    call: ToolCall
    context: Context
    known: Known
    #: What was decided then: permit, deny or require_approval; None when the file does not say.
    verdict: str | None


@dataclass(frozen=True, slots=True)
class Ruled:
    """What a policy says of a call."""

    #: permit, deny or require_approval.
    verdict: str
    #: The check that decided; empty when all permit.
    rule: str = ""
    #: The sentence of that check.
    reason: str = ""


def read_past_calls(source: str) -> Iterator[PastCall]:
    """Read the calls of a file; lines that tell of no call are passed over, in an audit too.

    A line names a `tool` (or `name`) with its `arguments`, and may tell the `context`, what was
    looked up as `facts`, and the `verdict` of then.

    Raises:
        InputUnreadable: The file cannot be read, or a line holds no JSON object; names the line.
    """
    name, text = read_text(source)
    for number, line in enumerate(text.splitlines(), start=1):
        if line.strip():
            data = _read(name, number, line)
            if _is_call(data):
                yield _past_call(name, number, data)


def ruled_by(past: PastCall, policy: Policy, registry: Registry) -> Ruled:
    """Judge a past call by a policy, as if its tool had been on offer."""
    facts = Facts(
        call=past.call,
        tool=policy.of(registry, past.call.name),
        registered=frozenset(registry.names()),
        visible=policy.shown(registry, None),
        context=past.context,
        known=past.known,
    )
    judgement = judge(facts)
    match judgement.verdict:
        case Deny() as denied:
            return Ruled("deny", judgement.rule, denied.detail or denied.message)
        case RequireApproval() as asked:
            return Ruled("require_approval", judgement.rule, asked.reason)
        case _:
            return Ruled("permit")


def _is_call(data: Mapping[str, Any]) -> bool:
    if str(data.get("kind")) in KINDS - _OF_CALLS:
        return False
    return bool(data.get("tool") or data.get("name")) and isinstance(data.get("arguments"), dict)


def _read(source: str, number: int, line: str) -> Mapping[str, Any]:
    try:
        data = json.loads(line)
    except (ValueError, RecursionError) as error:  # a number of many digits is no JSONDecodeError
        raise InputUnreadable(source, f"line {number} is no JSON") from error
    if not isinstance(data, dict):
        raise InputUnreadable(source, f"line {number} is no JSON object")
    return data


def _past_call(source: str, number: int, data: Mapping[str, Any]) -> PastCall:
    key = str(data.get("call") or data.get("call_id") or "")
    name = str(data.get("tool") or data["name"])
    given = data.get("context")
    context = (
        given if given is not None else {word: data[word] for word in _IDENTITY if word in data}
    )
    facts, verdict = data.get("facts", {}), data.get("verdict")
    try:
        return PastCall(
            number,
            key,
            ToolCall(key or str(number), name, data["arguments"]),
            Context.from_json(context),
            Known(facts),
            None if verdict is None else str(verdict),
        )
    except (ValueError, TypeError, AttributeError) as error:
        raise InputUnreadable(source, f"line {number}: {error}") from error
