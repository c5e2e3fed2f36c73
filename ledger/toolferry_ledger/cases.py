"""The case of a call: all that is kept of why it ran or did not, for a person who asks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from toolferry import CallState, ToolResult, split_call_key
from toolferry_ledger.artifacts import artifact_text
from toolferry_ledger.connection import server_errors
from toolferry_ledger.decisions import Decision
from toolferry_ledger.endings import read_result
from toolferry_ledger.ledger import Ledger
from toolferry_ledger.letters import CallUnknown, PastAttempt
from toolferry_ledger.records import Suspect
from toolferry_ledger.refusal import Refusal, open_refusal
from toolferry_ledger.replies import read_suspect
from toolferry_ledger.signing import Signer, Untrusted
from toolferry_ledger.spec import Spec, open_spec
from toolferry_ledger.stories import is_call_key, read_history
from toolferry_ledger.waiting import due_at, paced_for


@dataclass(frozen=True, slots=True, kw_only=True)
class CallCase:
    """What is kept of a call, whether it ran, waits or was refused. Times are the server's."""

    call_key: str
    state: CallState
    #: The dispatcher's own JSON text about the turn; empty when the turn is not kept any more.
    meta: bytes
    #: What was decided of a call that may run; None when it was refused, or cannot be believed.
    spec: Spec | None
    #: What was judged of one that was refused; None as above, and of an older release.
    refusal: Refusal | None
    #: Whether a record is there that cannot be believed.
    is_untrusted: bool
    requested_at: float
    deadline_at: float | None = None
    #: Of the newest attempt: when, by which worker, and which.
    started_at: float | None = None
    worker: str = ""
    attempt: int = 0
    #: For whom it waits: the key of a call, or `limit:` and a limit, or `rate:` and a rate.
    waits_for: str = ""
    #: About when it may go on that waits for a rate; None when that is not known.
    waits_until: float | None = None
    #: Why it was withdrawn while it ran; None when it was not.
    withdrawn: str | None = None
    decision: Decision | None = None
    #: How many uses its standing approval had left after it; None when it needed none.
    uses_left: int | None = None
    attempts: tuple[PastAttempt, ...] = ()
    result: ToolResult | None = None
    #: The JSON text of what the model was told instead of the result; None when it was not.
    answer: bytes | None = None
    #: All of a result that was cut; None when nothing more is kept of it.
    whole: str | None = None


def read_case(ledger: Ledger, signer: Signer, call_key: str) -> CallCase:
    """Read all that is kept of a call: two round trips, three for one that waits for a rate.

    Args:
        ledger: The records.
        signer: Tells whether they are genuine.
        call_key: The call.

    Raises:
        CallUnknown: The ledger has nothing of it.
        LedgerUnavailable: The server does not answer.
    """
    if not is_call_key(call_key):
        raise CallUnknown(call_key)
    turn, record, history = _read(ledger, call_key)
    text = turn["result"] or record["result"]
    result = None if text is None else read_result(text)
    if record["state"] is None:
        return _refused(signer, call_key, turn, result)
    suspect = read_suspect(_suspect_row(call_key, record))
    try:
        spec = open_spec(signer, suspect)
    except Untrusted:
        spec = None
    decision = record["decision"]
    return CallCase(
        call_key=call_key,
        state=suspect.state,
        meta=turn["meta"] or b"",
        spec=spec,
        refusal=None,
        is_untrusted=spec is None,
        requested_at=suspect.requested_at,
        deadline_at=suspect.deadline_at,
        started_at=suspect.started_at,
        worker=(record["owner"] or b"").decode(),
        attempt=suspect.attempt,
        waits_for=suspect.waits_for if suspect.state.is_open else "",
        waits_until=_waits_until(ledger, suspect),
        withdrawn=suspect.cancelled,
        decision=None if decision is None else Decision.from_bytes(decision),
        uses_left=None if record["uses_left"] is None else int(record["uses_left"]),
        attempts=tuple(read_history(history)),
        result=result,
        answer=turn["answer"],
        whole=artifact_text(record["artifact"]),
    )


def _waits_until(ledger: Ledger, suspect: Suspect) -> float | None:
    paced = paced_for(suspect.waits_for) if suspect.state.is_open else None
    if paced is None:
        return None
    with server_errors(ledger.settings):
        prefix = ledger.settings.key_prefix
        return due_at(ledger.client, prefix, paced, suspect.call_key, suspect.fence)


def _refused(
    signer: Signer, call_key: str, turn: dict[str, Any], result: ToolResult | None
) -> CallCase:
    """Give the case of a call of which only its turn tells."""
    if result is None:
        raise CallUnknown(call_key)
    refusal = open_refusal(signer, call_key, turn["judged"])
    return CallCase(
        call_key=call_key,
        state=CallState(result.outcome.value),
        meta=turn["meta"] or b"",
        spec=None,
        refusal=refusal,
        is_untrusted=turn["judged"] is not None and refusal is None,
        requested_at=result.requested_at or result.finished_at or 0.0,
        attempt=result.attempts,
        started_at=result.started_at,
        result=result,
        answer=turn["answer"],
    )


_SUSPECT: Final = (
    *("fence", "state", "spec", "sig", "attempts", "requested", "started", "deadline"),
    *("waits_for", "cancel"),
)
_RECORD: Final = (*_SUSPECT, "owner", "decision", "uses_left", "result", "artifact")


def _read(ledger: Ledger, call_key: str) -> tuple[dict[str, Any], dict[str, Any], list[bytes]]:
    """Read a call's turn, its record and its history."""
    prefix, (turn_id, at) = ledger.settings.key_prefix, split_call_key(call_key)
    with server_errors(ledger.settings), ledger.client.pipeline(transaction=True) as pipe:
        pipe.hmget(f"{prefix}turn:{turn_id}", ["meta", f"r:{at}", f"d:{at}", f"a:{at}"])
        pipe.hmget(f"{prefix}call:{call_key}", _RECORD)
        pipe.lrange(f"{prefix}history:{call_key}", 0, -1)
        turn, record, history = pipe.execute()
    names = ("meta", "result", "judged", "answer")
    return (
        dict(zip(names, turn, strict=True)),
        dict(zip(_RECORD, record, strict=True)),
        history,
    )


def _suspect_row(call_key: str, record: dict[str, Any]) -> list[Any]:
    """List what a script gives of a call; one whose data was erased has no spec."""
    row = [record[name] for name in _SUSPECT]
    for at, absent in ((2, b""), (3, b""), (4, b"0"), (5, b"0"), (6, b""), (7, b"0"), (8, b"")):
        row[at] = absent if row[at] is None else row[at]
    return [call_key.encode(), *row[:8], b"0", 0, *row[8:], None]
