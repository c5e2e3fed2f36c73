"""The report of a run: its figures, and every violation with the history of its call. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from chaos.crowding import crowded
from chaos.history import Attempt, Call, History
from chaos.ordering import misordered
from chaos.plan import KILLS, RESTARTS, FaultKind
from chaos.recovery import heals, percentile, recoveries, resumptions
from chaos.verdicts import Violation, examine
from toolferry import Tool

#: The figures that count violations, by call or process, in the report's order.
FIGURES: Final = (
    "lost_calls",
    "double_results",
    "double_effects_non_repeatable",
    "misordered",
    "crowded",
    "stuck",
    "untrue",
    "crashed",
    "hung",
)
#: Seconds in which 99 of 100 calls of killed processes must run again.
RECOVERY_LIMIT: Final = 10.0
#: Seconds in which a call whose notice was deleted must run.
HEAL_LIMIT: Final = 15.0
#: Violations of one kind that are told with their history; the figures count all.
TOLD: Final = 20


@dataclass(frozen=True, slots=True)
class Report:
    """What came of a run."""

    figures: Mapping[str, Any]
    violations: Sequence[Violation]
    history: History

    @property
    def is_clean(self) -> bool:
        """Whether nothing was violated."""
        return not self.violations

    def to_json(self) -> dict[str, Any]:
        """Give the JSON form: the figures, and the violations with their histories."""
        return {**self.figures, "violations": [self._explained(one) for one in self._told()]}

    def _told(self) -> Iterator[Violation]:
        told: Counter[str] = Counter()
        for one in self.violations:
            told[one.kind] += 1
            if told[one.kind] <= TOLD:
                yield one

    def _explained(self, violation: Violation) -> dict[str, Any]:
        call = _find(self.history, violation.key)
        return {
            "kind": violation.kind,
            "call_key": violation.key,
            "sentence": violation.sentence,
            "history": history_of(self.history, call) if call else [],
        }


def make_report(history: History, tools: Mapping[str, Tool], seed: int, seconds: float) -> Report:
    """Judge a history.

    Args:
        history: What happened.
        tools: By name.
        seed: Of the run.
        seconds: That it took in all.
    """
    violations = [
        *examine(history, tools),
        *misordered(history, tools),
        *crowded(history, tools),
        *_too_late(history),
        *_vacuous(history),
    ]
    # A call is counted once for each figure, however many breaches it is part of.
    counts = {kind: len({one.key for one in violations if one.kind == kind}) for kind in FIGURES}
    times = list(recoveries(history).values())
    figures = {
        "seed": seed,
        "turns": sum(1 for _ in history.promised),
        "calls": sum(1 for _ in history.calls),
        "gathered": sum(bool(call.got) for call in history.calls),
        **counts,
        "recovery_p50_seconds": _rounded(percentile(times, 0.5)),
        "recovery_p99_seconds": _rounded(percentile(times, 0.99)),
        "recoveries": len(times),
        "heal_max_seconds": _rounded(max(heals(history).values(), default=None)),
        "resume_max_seconds": _rounded(max(resumptions(history), default=None)),
        "faults": count_faults(history),
        "attempts": sum(len(call.attempts) for call in history.calls),
        "outcomes": dict(Counter(call.got[0].outcome for call in history.calls if call.got)),
        "seconds": round(seconds, 1),
    }
    return Report(figures, violations, history)


def count_faults(history: History) -> dict[str, int]:
    """Count what was done to the system, by kind; `kills` and `restarts` sum some of them up."""
    counts = Counter(line["what"] for line in history.faults)
    counts["poison"] = sum(call.tool == "drink_poison" for call in history.calls)
    counts["cancel_turn"] = sum(turn.cancelled for turn in history.promised)
    kinds = [*(kind.value for kind in FaultKind), "poison", "cancel_turn"]
    found = {kind: counts[kind] for kind in kinds}
    return {
        **found,
        "kills": sum(found[kind] for kind in KILLS),
        "restarts": sum(found[kind] for kind in RESTARTS),
    }


def history_of(history: History, call: Call) -> list[str]:
    """Tell everything that is known of a call, one sentence each, in order of time."""
    turn = history.turns[call.key.rpartition(":")[0]]
    lines = [(turn.begun, f"dispatch of {turn.turn_id} began; calls {_names(turn.calls)}")]
    if turn.promised is not None:
        lines.append((turn.promised, "dispatch had returned"))
    for attempt in call.attempts:
        lines += _told(attempt)
    lines += [(line["at"], f"fault {line['what']}") for line in _near(history, call)]
    lines += [
        (float(got.by.rpartition("@")[2]), f"{got.by} got {got.outcome}, {got.attempts} attempts")
        for got in call.got
    ]
    return [f"{at - turn.begun:+.3f} s: {sentence}" for at, sentence in sorted(lines)]


def _told(attempt: Attempt) -> Iterator[tuple[float, str]]:
    name = f"attempt {attempt.number} in process {attempt.pid}"
    yield attempt.start, f"{name} started"
    if attempt.end is not None:
        yield attempt.end, f"{name}: {attempt.how}"
    if attempt.died is not None:
        yield attempt.died, f"{name} was killed"


def _near(history: History, call: Call) -> Iterator[Mapping[str, Any]]:
    """Give the faults that may have met a call: of the server, its processes, its notices."""
    pids = {attempt.pid for attempt in call.attempts}
    turn = history.turns[call.key.rpartition(":")[0]]
    for line in history.faults:
        of_server = line["what"] in {*RESTARTS, "server_back"}
        hits = pids.intersection(line.get("pids", ())) or call.key in line.get("keys", ())
        if (of_server or hits) and turn.begun - 10 <= line["at"] <= turn.begun + 60:
            yield line


def _names(calls: Sequence[Call]) -> str:
    return ", ".join(call.tool for call in calls)


def _find(history: History, key: str) -> Call | None:
    return next((call for call in history.calls if call.key == key), None)


def _too_late(history: History) -> Iterator[Violation]:
    times = recoveries(history)
    p99 = percentile(list(times.values()), 0.99)
    for name, seconds in times.items():
        if p99 is not None and p99 > RECOVERY_LIMIT and seconds > RECOVERY_LIMIT:
            yield Violation("recovery", name.partition(" ")[0], f"{name}: {seconds:.1f} s later")
    for key, seconds in heals(history).items():
        if seconds > HEAL_LIMIT:
            yield Violation("heal", key, f"it ran {seconds:.1f} s after its notice was deleted")


def _vacuous(history: History) -> Iterator[Violation]:
    if not any(call.attempts for call in history.calls):
        yield Violation("vacuous", "-", "no call ever ran: the logs of the workers say why")


def _rounded(seconds: float | None) -> float | None:
    return None if seconds is None else round(seconds, 2)
