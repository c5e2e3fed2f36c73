"""The history: what the journals say happened, call by call."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from chaos.journal import RunFolder, read
from chaos.plan import KILLS, FaultKind

#: Seconds after it goes on for which a suspended process may still do what it was about to do.
_AFTERMATH: Final = 2.0


@dataclass(slots=True)
class Attempt:
    """One run of a handler, as it wrote it down. Times are seconds of the monotonic clock."""

    key: str
    number: int
    idempotency_key: str
    pid: int
    start: float
    #: When it ended; None when its process was gone before that.
    end: float | None = None
    #: How it ended: "end", or "refused", "failed", "stopped"; empty when it did not.
    how: str = ""
    #: When its process was killed, if it was and the attempt had not ended.
    died: float | None = None
    #: Whether its worker was suspended meanwhile, and so taken for dead while it was not.
    suspended: bool = False

    @property
    def refused(self) -> bool:
        """Whether its handler gave its word that nothing was done."""
        return self.how == "refused"

    @property
    def over(self) -> float:
        """When it was over, as far as anybody can know: not before its start."""
        return next((time for time in (self.end, self.died) if time is not None), self.start)


@dataclass(frozen=True, slots=True)
class Got:
    """One result as it was gathered."""

    outcome: str
    effect: str
    attempts: int
    code: str
    #: Of the whole result with its message: equal for equal ones only.
    digest: str
    by: str


@dataclass(slots=True)
class Call:
    """One call, with all that is known of it."""

    key: str
    call_id: str
    tool: str
    cell: int | None
    attempts: list[Attempt] = field(default_factory=list)
    #: What each gatherer got for it.
    got: list[Got] = field(default_factory=list)
    #: How many messages each gatherer got for it.
    messages: dict[str, int] = field(default_factory=dict)

    @property
    def position(self) -> int:
        """Its place in its turn, from 0."""
        return int(self.key.rpartition(":")[2])


@dataclass(slots=True)
class TurnHistory:
    """One turn, with all that is known of it."""

    turn_id: str
    #: When its first dispatch began.
    begun: float
    calls: list[Call]
    #: When a dispatch had returned: since then its results are promised. None when none has.
    promised: float | None = None
    cancelled: bool = False
    #: Who gathered it.
    gatherers: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class History:
    """A whole run."""

    turns: Mapping[str, TurnHistory]
    #: The lines of the faults' journal.
    faults: list[dict[str, Any]]

    @property
    def calls(self) -> Iterable[Call]:
        """All calls that were promised."""
        return (call for turn in self.promised for call in turn.calls)

    @property
    def promised(self) -> Iterable[TurnHistory]:
        """All turns that were promised."""
        return (turn for turn in self.turns.values() if turn.promised is not None)

    def returns(self) -> list[float]:
        """Give the times at which the server was back."""
        return [line["at"] for line in self.faults if line["what"] == "server_back"]


def read_history(folder: RunFolder) -> History:
    """Read all journals of a run."""
    faults = list(read(folder.faults))
    turns: dict[str, TurnHistory] = {}
    for path in (*folder.dispatchers, folder.audit):
        for line in read(path):
            _read_dispatcher(line, turns)
    calls = {call.key: call for turn in turns.values() for call in turn.calls}
    poisonings = _read_handlers(read(folder.handlers), calls)
    kills = [line for line in faults if line["what"] in KILLS]
    _tell_deaths(calls.values(), [*kills, *poisonings])
    _tell_suspensions(calls.values(), faults)
    return History(turns, faults)


def _read_dispatcher(line: Mapping[str, Any], turns: dict[str, TurnHistory]) -> None:
    turn_id = line.get("turn")
    if turn_id is None:
        return
    if line["what"] == "begin" and turn_id not in turns:
        calls = [
            Call(f"{turn_id}:{at}", call_id, tool, cell)
            for at, (call_id, tool, cell) in enumerate(line["calls"])
        ]
        turns[turn_id] = TurnHistory(turn_id, line["at"], calls)
    turn = turns[turn_id]
    if line["what"] == "acknowledged" and turn.promised is None:
        turn.promised = line["at"]
    elif line["what"] == "cancel":
        turn.cancelled = True
    elif line["what"] == "gathered":
        _read_gathered(line, turn)


def _read_gathered(line: Mapping[str, Any], turn: TurnHistory) -> None:
    by = f"{line['by']}@{line['at']:.3f}"
    turn.gatherers.append(by)
    if turn.promised is None:  # attached to: another dispatcher knew that it was taken
        turn.promised = line["at"]
    results = {row[0]: row for row in line["results"]}
    texts = dict(line["messages"])
    names = [name for name, _ in line["messages"]]
    for call in turn.calls:
        call.messages[by] = names.count(call.call_id)
        row = results.get(call.call_id)
        if row is not None:
            digest = f"{row[5]}.{texts.get(call.call_id)}"
            call.got.append(Got(row[1], row[2], row[3], row[4], digest, by))


def _read_handlers(
    lines: Iterable[dict[str, Any]], calls: Mapping[str, Call]
) -> list[dict[str, Any]]:
    """Read the attempts of all calls; give the lines of handlers that killed their process."""
    running: dict[tuple[str, int, int], Attempt] = {}
    poisonings = []
    for line in lines:
        key, number, pid = line["key"], line["attempt"], line["pid"]
        if line["what"] == "start":
            attempt = Attempt(key, number, line["idempotency_key"], pid, line["at"])
            running[key, number, pid] = attempt
            if key in calls:
                calls[key].attempts.append(attempt)
        elif line["what"] == "poison":
            poisonings.append(line)
        elif ended := running.pop((key, number, pid), None):
            ended.end, ended.how = line["at"], line["what"]
    return poisonings


def _tell_deaths(calls: Iterable[Call], deaths: Iterable[Mapping[str, Any]]) -> None:
    died: dict[int, list[float]] = {}
    for line in deaths:
        for pid in line.get("pids", [line.get("pid")]):
            died.setdefault(pid, []).append(line["at"])
    for call in calls:
        for attempt in call.attempts:
            if attempt.end is None:
                later = [at for at in died.get(attempt.pid, ()) if at >= attempt.start]
                attempt.died = min(later, default=None)


def _tell_suspensions(calls: Iterable[Call], faults: Iterable[Mapping[str, Any]]) -> None:
    spans: dict[int, list[tuple[float, float]]] = {}
    for line in faults:
        if line["what"] == FaultKind.SUSPEND_WORKER:
            span = (line["at"], line["at"] + line["lasts"] + _AFTERMATH)
            for pid in line["pids"]:
                spans.setdefault(pid, []).append(span)
    for call in calls:
        for attempt in call.attempts:
            attempt.suspended = any(
                attempt.start <= until and (attempt.end is None or attempt.end >= since)
                for since, until in spans.get(attempt.pid, ())
            )
