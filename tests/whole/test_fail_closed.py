"""Whatever is asked about a call and gives no answer, denies it; or withholds what it returned.

Each kind of word that comes from outside of Toolferry is made to raise, to end the program, to hang
past its limit, to answer with nonsense, and to give a verdict without a reason. This is the list.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NoReturn

import pytest
from structlog.testing import capture_logs

from toolferry import (
    Context,
    Effect,
    EffectClass,
    ErrorCode,
    Extensions,
    FactProvider,
    Hooks,
    Interceptor,
    Outcome,
    Registry,
    Tool,
    ToolCall,
    ToolResult,
    tool,
)
from toolferry_policies import (
    Accept,
    Block,
    Deny,
    Facts,
    Modify,
    Permit,
    Replace,
    RequireApproval,
    judge,
)
from toolferry_testing import Rehearsal

#: Seconds that everything asked here may take, and how long what hangs does.
WITHIN, HANGING = 0.05, 0.15
#: Nobody sets it: who waits for it hangs.
NEVER = threading.Event()

Word = Callable[[Any], Any]


def raises(_about: Any) -> NoReturn:
    """Raise."""
    raise KeyError("the directory says hush")


def exits(_about: Any) -> NoReturn:
    """Try to end the program."""
    raise SystemExit(0)


def interrupts(_about: Any) -> NoReturn:
    """Raise what nobody expects."""
    raise asyncio.CancelledError


async def raises_later(_about: Any) -> NoReturn:
    """Raise, when it is awaited."""
    await asyncio.sleep(0)
    raise KeyError("the directory says hush")


async def exits_later(_about: Any) -> NoReturn:
    """Try to end the program, when it is awaited."""
    await asyncio.sleep(0)
    raise SystemExit(0)


def hangs(_about: Any) -> Any:
    """Answer too late."""
    NEVER.wait(HANGING)
    return Permit()


async def hangs_later(_about: Any) -> Any:
    """Answer too late, but let others go on."""
    await asyncio.sleep(60)
    return Permit()


async def blocks_the_loop(_about: Any) -> Any:
    """Answer too late, and let nobody go on."""
    NEVER.wait(HANGING)
    return Permit()


async def will_not_stop(_about: Any) -> Any:
    """Go on although it was cancelled."""
    end = time.monotonic() + HANGING
    while time.monotonic() < end:
        try:
            await asyncio.sleep(0.01)
        except asyncio.CancelledError:
            continue
    return Permit()


def answers(answer: Any) -> Word:
    """Give a function that answers with this."""
    return lambda _about: answer


def says(make: Callable[[], Any]) -> Word:
    """Give a function that says something without a reason, which cannot even be made."""
    return lambda _about: make()


class Unspeakable(Exception):
    """An error whose own words raise."""

    def __str__(self) -> str:
        """Raise."""
        raise SystemExit


def raises_what_cannot_be_told(_about: Any) -> NoReturn:
    """Raise, and raise again."""
    raise Unspeakable


BROKEN: dict[str, Word] = {
    "raises": raises,
    "exits": exits,
    "interrupts": interrupts,
    "cannot be told": raises_what_cannot_be_told,
    "None": answers(None),
    "no function": answers(print),
}
BROKEN_LATER: dict[str, Word] = {
    "raises, async": raises_later,
    "exits, async": exits_later,
    "hangs": hangs,
    "hangs, async": hangs_later,
    "blocks the loop": blocks_the_loop,
    "will not stop": will_not_stop,
}
NO_VERDICT: dict[str, Word] = {
    "True": answers(True),  # noqa: FBT003 -- what looks like a permission
    "a word": answers("permit"),
    "a class": answers(Permit),
    "another verdict": answers(Accept()),
    "denial without a reason": answers(Deny(ErrorCode.DENIED, " ")),
    "denial with no code": answers(Deny("no", "No.")),  # type: ignore[arg-type]  # nonsense
    "approval for nothing": answers(RequireApproval(7)),  # type: ignore[arg-type]  # nonsense
    "approval without a reason": says(lambda: RequireApproval("")),
    "change without a reason": says(lambda: Modify({}, "")),
    "change to nothing": says(lambda: Modify(None, "no")),  # type: ignore[arg-type]  # nonsense
    "change to what is no JSON": says(lambda: Modify({"n": object()}, "no")),
}
NO_FACT: dict[str, Word] = {
    "no JSON": answers(object()),
    "too much": answers("x" * 5000),
    "itself": answers(raises),
}
NO_RECEPTION: dict[str, Word] = {
    "True": answers(True),  # noqa: FBT003 -- as above
    "a verdict of before": answers(Permit()),
    "block without a reason": says(lambda: Block(" ")),
    "replacement without a reason": says(lambda: Replace(1, "")),
    "replacement by no JSON": answers(Replace(object(), "because")),
}


def cases(*kinds: dict[str, Word]) -> pytest.MarkDecorator:
    """Give the words to be tried, by name."""
    words = {name: word for kind in kinds for name, word in kind.items()}
    return pytest.mark.parametrize("word", words.values(), ids=words.keys())


class Ran(list[int]):
    """The numbers that the handler was called with."""

    def tool(self, **options: Any) -> Tool:
        """Give a tool that notes its calls."""

        def act(number: int) -> int:
            """Note a number, and give it back."""
            self.append(number)
            return number

        return tool(act, effect=EffectClass.WRITE, **options)


@pytest.fixture
def ran() -> Ran:
    """Give a fresh list."""
    return Ran()


def run(ran: Ran, extensions: Extensions, **options: Any) -> ToolResult:
    """Run one call with extensions."""
    rehearsal = Rehearsal(Registry([ran.tool(**options)]), extensions=extensions)
    return rehearsal.dispatch([ToolCall("c1", "act", {"number": 1})]).results[0]


def assert_denied(ran: Ran, result: ToolResult) -> None:
    """Require that nothing ran, and that the model learns nothing of what broke."""
    assert ran == []
    assert (result.outcome, result.effect) == (Outcome.DENIED, Effect.NONE)
    assert result.error is not None
    assert result.error.code == ErrorCode.DENIED
    assert result.error.message == "A policy could not judge this call."


@cases(BROKEN, NO_VERDICT)
def test_a_check_denies(word: Word) -> None:
    """A policy is a pure function: it is not awaited, and has no limit."""
    call = ToolCall("c1", "act", {})
    facts = Facts(call=call, tool=None, registered=frozenset(), context=Context())

    verdict = judge(facts, (word,)).verdict

    assert isinstance(verdict, Deny)
    assert verdict.message == "A policy could not judge this call."


@cases(BROKEN, NO_VERDICT)
def test_a_rule_of_a_tool_denies(ran: Ran, word: Word) -> None:
    """As a check does."""
    assert_denied(ran, run(ran, Extensions(), rules=[word]))


@cases(BROKEN, BROKEN_LATER, NO_VERDICT)
def test_a_pre_execute_hook_denies(ran: Ran, word: Word) -> None:
    """Its error goes to the log only."""
    hooks = Hooks(pre_execute=[word], within=WITHIN)

    assert_denied(ran, run(ran, Extensions(hooks=[hooks])))


@cases(BROKEN, BROKEN_LATER, NO_VERDICT)
def test_an_interceptor_denies(ran: Ran, word: Word) -> None:
    """Before anything else is asked."""
    interceptor = Interceptor("guard", before=word, within=WITHIN)

    assert_denied(ran, run(ran, Extensions(interceptors=[interceptor])))


@cases(BROKEN, BROKEN_LATER, NO_FACT)
def test_a_fact_provider_denies(ran: Ran, word: Word) -> None:
    """The calls that need the fact; `None` is no fact either."""
    provider = FactProvider("owner", word, within=WITHIN)

    assert_denied(ran, run(ran, Extensions(facts=[provider])))


@contextmanager
def hangs_inside(_call: Any) -> Iterator[None]:
    """Take too long to enter."""
    NEVER.wait(HANGING)
    yield


@contextmanager
def never_yields(_call: Any) -> Iterator[None]:
    """Give nothing to be entered."""
    if HANGING < 0:
        yield


@cases(BROKEN, BROKEN_LATER, NO_VERDICT, {"enters late": hangs_inside, "gives none": never_yields})
def test_an_execute_hook_keeps_the_handler_from_being_called(ran: Ran, word: Word) -> None:
    """Nothing has happened then."""
    hooks = Hooks(execute=[word], within=WITHIN)

    result = run(ran, Extensions(hooks=[hooks]))

    assert ran == []
    assert (result.outcome, result.effect, result.content) == (Outcome.FAILED, Effect.NONE, None)
    assert result.error is not None
    assert result.error.code == ErrorCode.DENIED


@contextmanager
def leaves_broken(_call: Any) -> Iterator[None]:
    """Break after the handler."""
    yield
    raise KeyError("the directory says hush")


@contextmanager
def leaves_for_good(_call: Any) -> Iterator[None]:
    """Try to end the program after the handler."""
    yield
    raise SystemExit(0)


@contextmanager
def leaves_late(_call: Any) -> Iterator[None]:
    """Take too long to leave."""
    yield
    NEVER.wait(HANGING)


def assert_withheld(ran: Ran, result: ToolResult) -> None:
    """Require that the call ran once, and that the model learns this and nothing more."""
    assert ran == [1]
    assert (result.outcome, result.effect) == (Outcome.FAILED, Effect.COMMITTED)
    assert result.content is None
    assert result.error is not None
    assert result.error.code == ErrorCode.BLOCKED
    assert result.error.message == "act has run, but a policy could not judge its result."


@pytest.mark.parametrize("word", [leaves_broken, leaves_for_good, leaves_late])
def test_an_execute_hook_withholds_what_the_handler_returned(ran: Ran, word: Word) -> None:
    """Its effect is told as it is."""
    hooks = Hooks(execute=[word], within=WITHIN)

    assert_withheld(ran, run(ran, Extensions(hooks=[hooks])))


@cases(BROKEN, BROKEN_LATER, NO_RECEPTION)
def test_a_post_execute_hook_withholds_what_the_handler_returned(ran: Ran, word: Word) -> None:
    """As above."""
    hooks = Hooks(post_execute=[word], within=WITHIN)

    assert_withheld(ran, run(ran, Extensions(hooks=[hooks])))


@cases(BROKEN, BROKEN_LATER)
def test_an_observer_changes_nothing(ran: Ran, word: Word) -> None:
    """What goes wrong with it is told in the log."""
    extensions = Extensions(
        interceptors=[Interceptor("watcher", after=lambda _, ended: word(ended), within=WITHIN)],
        hooks=[Hooks(result=[word], within=WITHIN)],
    )

    with capture_logs() as logs:
        result = run(ran, extensions)

    silent = [line for line in logs if line["event"] == "hook.failed"]
    assert (result.outcome, result.content) == (Outcome.SUCCEEDED, 1)
    assert len(silent) == (0 if word in {BROKEN["None"], BROKEN["no function"]} else 2)


def test_what_one_call_is_denied_for_harms_no_sibling(ran: Ran) -> None:
    """Each call of a turn is asked about by itself."""

    def odd_ones_only(facts: Facts) -> Any:
        if facts.call.arguments["number"] % 2:
            return Permit()
        raise KeyError("even")

    rehearsal = Rehearsal(
        Registry([ran.tool()]), extensions=Extensions(hooks=[Hooks(pre_execute=[odd_ones_only])])
    )
    turn = rehearsal.dispatch([ToolCall(f"c{n}", "act", {"number": n}) for n in range(4)])

    assert ran == [1, 3]
    assert [one.outcome for one in turn.results] == [
        Outcome.DENIED,
        Outcome.SUCCEEDED,
        Outcome.DENIED,
        Outcome.SUCCEEDED,
    ]
