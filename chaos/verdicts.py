"""The verdicts: what a history must not show. Pure.

Only calls of promised turns are judged: those whose `dispatch` had returned, to whichever
dispatcher. What the ledger says of them is asked nobody.

* lost call: no gatherer of its turn got exactly one message for it, or one got none or several.
* double result: two gatherers got different results for it, or different messages.
* double effect: a handler that must not be repeated was started again, without its own word
  (`RetryCall(effect="none")`) that the attempt before did nothing.
* stuck: its turn was never complete, or it ended only because its deadline passed.
* untrue: the result says what the handlers' journal denies: a success without an end, no effect
  although a handler of a write was at work, no attempt although one was started; or attempts of
  a call had different idempotency keys, or two calls the same.
* misordered and crowded: see `ordering` and `crowding`.
* crashed: a worker or dispatcher ended by itself, although nobody had asked it to.
* hung: it did not end when it was asked to, in the end of the run.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from chaos.history import Attempt, Call, Got, History
from toolferry import Effect, EffectClass, ErrorCode, Outcome, Tool

#: What a call ends with that nobody brought on in time.
_OVERDUE: Final = frozenset({ErrorCode.DEADLINE, ErrorCode.NO_WORKER})
#: The exit code of a worker that cannot start, because the server is away: it has said so.
REFUSED_TO_START: Final = 2


@dataclass(frozen=True, slots=True)
class Violation:
    """One thing that must not be."""

    #: "lost_calls", "double_results", …: the figure of the report that counts it.
    kind: str
    #: The key of the call, or the name of the process.
    key: str
    #: What is wrong, in one sentence.
    sentence: str


def lost_calls(history: History) -> Iterator[Violation]:
    """Name the calls without exactly one message for each gatherer."""
    for call in history.calls:
        wrong = {by: count for by, count in call.messages.items() if count != 1}
        if not call.messages:
            yield Violation("lost_calls", call.key, "nobody could gather its turn")
        elif wrong:
            yield Violation("lost_calls", call.key, f"messages for it, by gatherer: {wrong}")


def double_results(history: History) -> Iterator[Violation]:
    """Name the calls of which two gatherers got different results."""
    for call in history.calls:
        if len({got.digest for got in call.got}) > 1:
            told = ", ".join(f"{got.by}: {got.outcome} ({got.digest})" for got in call.got)
            yield Violation("double_results", call.key, f"it has several results: {told}")


def double_effects(history: History, tools: Mapping[str, Tool]) -> Iterator[Violation]:
    """Name the calls that must not be repeated and were."""
    for call in history.calls:
        if tools[call.tool].repeatable:
            continue
        for earlier, later in pairwise(call.attempts):
            if not earlier.refused:
                yield Violation(
                    "double_effects_non_repeatable",
                    call.key,
                    f"attempt {later.number} was started although attempt {earlier.number} was",
                )


def stuck(history: History) -> Iterator[Violation]:
    """Name the calls that nobody brought on."""
    for turn in history.promised:
        for call in turn.calls:
            if not turn.gatherers:
                yield Violation("stuck", call.key, "its turn was never complete")
            elif any(got.code in _OVERDUE for got in call.got):
                yield Violation("stuck", call.key, "only its deadline ended it")


def untrue(history: History, tools: Mapping[str, Tool]) -> Iterator[Violation]:
    """Name the calls whose results or idempotency keys are denied by the handlers' journal."""
    owner: dict[str, str] = {}
    for call in history.calls:
        for attempt in call.attempts:
            first = owner.setdefault(attempt.idempotency_key, call.key)
            if first != call.key:
                yield Violation("untrue", call.key, f"it has the idempotency key of {first}")
        if len({attempt.idempotency_key for attempt in call.attempts}) > 1:
            yield Violation("untrue", call.key, "its attempts have different idempotency keys")
        for got in call.got[:1]:
            fault = _denied(call, got, tools[call.tool])
            if fault:
                yield Violation("untrue", call.key, fault)


def crashed(history: History) -> Iterator[Violation]:
    """Name the processes that ended by themselves, or did not when they were asked to."""
    for line in history.faults:
        if line["what"] == "exit" and line["code"] != REFUSED_TO_START:
            sentence = f"it ended by itself with exit code {line['code']}; its log says why"
            yield Violation("crashed", line["name"], sentence)
        elif line["what"] == "hung":
            yield Violation(
                "hung", line["name"], "it did not end when it was asked to; see its log"
            )


def _denied(call: Call, got: Got, tool: Tool) -> str:
    if got.outcome == Outcome.SUCCEEDED and not any(map(_ended, call.attempts)):
        return "it succeeded, but no attempt ended"
    if got.attempts == 0 and call.attempts:
        return "its result knows of no attempt, but one was started"
    at_work = any(not attempt.refused for attempt in call.attempts)
    if tool.effect is not EffectClass.READ and got.effect == Effect.NONE and at_work:
        return "its result says that nothing happened, but a handler was at work"
    return ""


def _ended(attempt: Attempt) -> bool:
    return attempt.how == "end"


def examine(history: History, tools: Mapping[str, Tool]) -> list[Violation]:
    """Name everything of the above that a history shows.

    Args:
        history: What happened.
        tools: By name.
    """
    return [
        *lost_calls(history),
        *double_results(history),
        *double_effects(history, tools),
        *stuck(history),
        *untrue(history, tools),
        *crashed(history),
    ]
