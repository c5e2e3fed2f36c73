"""Interceptors and observers: asked before everything, and told of every result."""

from __future__ import annotations

from toolferry import (
    ErrorCode,
    Extensions,
    FactProvider,
    Hooks,
    Interceptor,
    Registry,
    ToolCall,
    ToolResult,
    tool,
)
from toolferry_dispatcher import Dispatcher
from toolferry_ledger import Settings
from toolferry_policies import Deny, EndedCall, Facts, Permit, Verdict
from toolferry_testing import Rehearsal, RehearsedTurn


@tool
async def greet(name: str) -> str:
    """Greet somebody."""
    return f"Hello {name}"


def rehearse(extensions: Extensions) -> RehearsedTurn:
    """Run one greeting."""
    rehearsal = Rehearsal(Registry([greet]), extensions=extensions)
    return rehearsal.dispatch([ToolCall("c0", "greet", {"name": "Bo"})])


def noting(name: str, notes: list[str], verdict: Verdict | None = None) -> Interceptor:
    """Give an interceptor that writes down when it is asked."""

    def before(_facts: Facts) -> Verdict:
        notes.append(f"{name} before")
        return verdict or Permit()

    def after(_facts: Facts, result: ToolResult) -> None:
        notes.append(f"{name} after {result.outcome}")

    return Interceptor(name, before, after)


def test_interceptors_are_left_in_the_reverse_order() -> None:
    """With the hooks as the innermost of them."""
    notes: list[str] = []

    def asked(_facts: Facts) -> Verdict:
        notes.append("hook before")
        return Permit()

    def hears(ended: EndedCall) -> None:
        notes.append(f"hook after {ended.result.outcome}")

    rehearse(
        Extensions(
            interceptors=[noting("a", notes), noting("b", notes)],
            hooks=[Hooks(pre_execute=[asked], result=[hears])],
        )
    )

    assert notes == [
        "a before",
        "b before",
        "hook before",
        "hook after succeeded",
        "b after succeeded",
        "a after succeeded",
    ]


def test_an_interceptor_that_denies_ends_the_way_in() -> None:
    """Only those that let the call in hear what became of it; the hooks hear of every call."""
    notes: list[str] = []
    denied = Deny(ErrorCode.DENIED, "Not today.")

    turn = rehearse(
        Extensions(
            interceptors=[noting("a", notes), noting("b", notes, denied), noting("c", notes)],
            facts=[FactProvider("owner", lambda _facts: notes.append("looked up"))],
            hooks=[Hooks(result=[lambda ended: notes.append(f"hook {ended.call_key[-2:]}")])],
        )
    )

    assert notes == ["a before", "b before", "hook :0", "a after denied"]
    assert turn.results[0].error is not None
    assert turn.results[0].error.message == "Not today."


def test_what_a_module_of_tools_holds_is_asked(settings: Settings) -> None:
    """A registry brings its extensions along; a dispatcher adds its own after them."""
    registry = Registry([greet])
    notes: list[str] = []
    registry.extend(noting("registry's", notes))
    own = Extensions(interceptors=[noting("own", notes)])

    with Dispatcher(registry, settings, extensions=own) as dispatcher:
        dispatcher.dispatch([ToolCall("c1", "greet", {})]).gather()

    assert notes == [
        "registry's before",
        "own before",
        "own after failed",
        "registry's after failed",
    ]


def test_an_observer_cannot_change_a_result_in_passing() -> None:
    """Whatever it does to what it is given: a model reads what the handler returned."""

    @tool
    async def collect() -> list[int]:
        """Collect numbers."""
        return [1]

    def meddles(ended: EndedCall) -> None:
        ended.result.content.append(2)

    def meddles_too(facts: Facts, result: ToolResult) -> None:
        result.content.append(3)
        facts.call.arguments["more"] = 4  # type: ignore[index]  # what it must not do

    extensions = Extensions(
        interceptors=[Interceptor("meddler", after=meddles_too)], hooks=[Hooks(result=[meddles])]
    )
    turn = Rehearsal(Registry([collect]), extensions=extensions).dispatch(
        [ToolCall("c1", "collect", {})]
    )

    assert turn.results[0].content == [1]
    assert turn.calls[0].arguments == {}


def test_who_dispatches_a_turn_again_hears_of_its_results(settings: Settings) -> None:
    """Its interceptors were asked once more, so they hear once more."""
    notes: list[str] = []
    extensions = Extensions(interceptors=[noting("a", notes)])

    with Dispatcher(Registry([greet]), settings, extensions=extensions) as dispatcher:
        for _ in range(2):
            dispatcher.dispatch([ToolCall("c1", "greet", {})], turn_id="t1").gather()

    assert notes.count("a before") == notes.count("a after failed") == 2


def test_who_attaches_to_a_turn_hears_of_its_results(settings: Settings) -> None:
    """As after a restart of the agent: interceptors were entered by another process."""
    notes: list[str] = []

    def heard(ended: EndedCall) -> None:
        notes.append(ended.call_key)

    extensions = Extensions(interceptors=[noting("a", notes)], hooks=[Hooks(result=[heard])])
    with Dispatcher(Registry([greet]), settings) as dispatcher:
        dispatcher.dispatch([ToolCall("c1", "greet", {})], turn_id="t1").gather()

    with Dispatcher(Registry([greet]), settings, extensions=extensions) as other:
        turn = other.attach("t1")
        turn.gather()
        turn.gather()

    assert notes == ["t1:0"]
