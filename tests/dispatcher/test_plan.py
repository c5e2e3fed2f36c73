"""Which calls of a turn wait for which."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolferry import Concurrency, Context, EffectClass, Rate, Tool, ToolCall
from toolferry_dispatcher.plan import (
    Need,
    limit_of,
    name_resource,
    need_of,
    needs_of,
    order,
    rate_of,
)

NEEDS = st.lists(
    st.one_of(
        st.none(),
        st.builds(
            Need,
            resource=st.sampled_from([None, "file:a", "file:b", "file:c"]),
            writes=st.booleans(),
            exclusive=st.sampled_from([False, False, False, True]),
        ),
    ),
    max_size=30,
)


def conflicts(earlier: Need, later: Need) -> bool:
    """Say whether two calls of one turn must keep the model's order."""
    if earlier.exclusive or later.exclusive:
        return True
    shared = earlier.resource is not None and earlier.resource == later.resource
    return shared and (earlier.writes or later.writes)


def ancestors(after: tuple[tuple[int, ...], ...]) -> list[set[int]]:
    """For each call all calls that have ended when it starts."""
    closure: list[set[int]] = []
    for direct in after:
        closure.append(set(direct).union(*(closure[earlier] for earlier in direct)))
    return closure


READ_FILE = Tool(
    name="read_file",
    parameters={"type": "object", "properties": {"path": {"type": "string", "default": "a"}}},
    resource="file:{path}",
)
WRITE_FILE = Tool(name="write_file", effect=EffectClass.WRITE, resource="file:{path}")
NOW = Tool(name="now")
DEPLOY = Tool(name="deploy", effect=EffectClass.DESTRUCTIVE, exclusive=True)


@given(NEEDS)
def test_a_call_waits_for_earlier_calls_only(needs: list[Need | None]) -> None:
    """So no plan has a cycle, and a list of positions is ascending and without repeats."""
    after = order(needs)

    for index, earlier in enumerate(after):
        assert all(position < index for position in earlier)
        assert list(earlier) == sorted(set(earlier))


@given(NEEDS)
def test_conflicting_calls_keep_the_models_order(needs: list[Need | None]) -> None:
    """Of every conflicting pair the later one starts after the earlier one has ended."""
    ended_before = ancestors(order(needs))

    for later, need in enumerate(needs):
        for earlier, other in enumerate(needs[:later]):
            if need is not None and other is not None and conflicts(other, need):
                assert earlier in ended_before[later]


@given(NEEDS)
def test_a_call_waits_directly_only_for_calls_that_it_conflicts_with(
    needs: list[Need | None],
) -> None:
    """Calls that are independent of all earlier ones start at once."""
    for index, earlier in enumerate(order(needs)):
        for position in earlier:
            first, second = needs[position], needs[index]
            assert first is not None
            assert second is not None
            assert conflicts(first, second)


@given(NEEDS)
def test_a_refused_call_waits_for_nothing_and_holds_up_nothing(needs: list[Need | None]) -> None:
    """The plan of the others is the same with and without the refused ones."""
    running = [index for index, need in enumerate(needs) if need is not None]

    after = order(needs)

    alone = order([needs[index] for index in running])
    assert [after[index] for index in running] == [
        tuple(running[position] for position in earlier) for earlier in alone
    ]
    assert all(after[index] == () for index, need in enumerate(needs) if need is None)


@given(NEEDS)
def test_a_plan_is_small(needs: list[Need | None]) -> None:
    """However the calls conflict, the plan of n calls has at most 2n entries."""
    assert sum(map(len, order(needs))) <= 2 * len(needs)


def test_reads_between_two_writes_run_side_by_side() -> None:
    """Both reads follow the first write; the second write follows both."""
    write, read = Need(resource="file:a", writes=True), Need(resource="file:a")

    after = order([write, read, read, write])

    assert after == ((), (0,), (0,), (1, 2))


def test_an_exclusive_call_is_a_barrier() -> None:
    """It starts when all before it have ended, and all after it start when it has ended."""
    free, alone = Need(), Need(exclusive=True)

    after = order([free, free, alone, free, free, alone])

    assert after == ((), (), (0, 1), (2,), (2,), (3, 4))


def test_two_exclusive_calls_in_a_row_follow_each_other() -> None:
    """A barrier right behind a barrier waits for it alone."""
    after = order([Need(exclusive=True), Need(exclusive=True)])

    assert after == ((), (0,))


def call(tool: Tool, **arguments: object) -> tuple[ToolCall, Tool]:
    """A call of a tool with these arguments."""
    return ToolCall("any", tool.name, arguments), tool


def test_a_read_follows_the_write_of_the_same_file() -> None:
    """Calls on another file, or on none, start at once."""
    calls = [
        call(WRITE_FILE, path="a"),
        call(READ_FILE, path="a"),
        call(READ_FILE, path="b"),
        call(NOW),
    ]

    after = order(needs_of(calls))

    assert after == ((), (0,), (), ())


def test_a_tool_that_cannot_be_put_right_writes_too() -> None:
    """Every effect class but `read` counts as writing."""
    drop = Tool(name="drop", effect=EffectClass.DESTRUCTIVE, resource="file:{path}")

    assert order(needs_of([call(READ_FILE, path="a"), call(drop, path="a")])) == ((), (0,))


def test_a_resource_is_named_with_the_defaults_filled_in() -> None:
    """A model that leaves an argument out means its default."""
    assert order(needs_of([call(WRITE_FILE, path="a"), call(READ_FILE)])) == ((), (0,))


def test_a_call_whose_resource_cannot_be_named_runs_alone() -> None:
    """It may touch anything, so nothing runs beside it."""
    after = order(
        needs_of([call(READ_FILE, path="a"), call(WRITE_FILE), call(READ_FILE, path="b")])
    )

    assert after == ((), (0,), (1,))


def test_an_exclusive_tool_separates_what_is_before_from_what_is_after() -> None:
    """Though they share no resource."""
    assert order(needs_of([call(NOW), call(DEPLOY), call(NOW)])) == ((), (0,), (1,))


def test_a_call_without_a_tool_is_not_waited_for() -> None:
    """It was refused: it has its result already."""
    refused = (ToolCall("any", "write_file", {"path": "a"}), None)

    assert order(needs_of([refused, call(READ_FILE, path="a")])) == ((), ())


@pytest.mark.parametrize("value", ["{b}", "{a}", "a.b", "\\1", "{"])
def test_an_argument_cannot_reach_into_the_template(value: str) -> None:
    """What a model writes is text, whatever it looks like."""
    assert name_resource("x:{a}:{b}", {"a": value, "b": "B"}) == f"x:{value}:B"


@pytest.mark.parametrize(
    ("value", "text"),
    [(7, "7"), (7.0, "7"), (7.5, "7.5"), (True, "true"), ({"b": 1, "a": 2}, '{"a": 2, "b": 1}')],
)
def test_equal_values_name_the_same_resource(value: object, text: str) -> None:
    """JSON knows no 7 besides 7.0, and no order of members."""
    assert name_resource("{v}", {"v": value}) == text


@pytest.mark.parametrize("arguments", [{}, {"a": None}, {"a": {}}, {"a": {"b": None}}, {"a": "b"}])
def test_a_missing_argument_leaves_the_resource_without_a_name(
    arguments: dict[str, object],
) -> None:
    """So does null, at any depth."""
    assert name_resource("{a.b}", arguments) is None


def test_a_template_without_places_names_one_resource_for_all_calls() -> None:
    """A tool that guards one thing says so."""
    lamp = Tool(name="lamp", effect=EffectClass.WRITE, resource="lamp")

    assert need_of(*call(lamp)) == Need(resource="lamp", writes=True)
    assert order(needs_of([call(lamp), call(lamp), call(lamp)])) == ((), (0,), (1,))


def test_a_key_may_name_who_asks() -> None:
    """The tenant and the principal, from the context; what a model writes is never taken for it."""
    key = "{context.tenant}/{context.principal}/{n}"
    tool = Tool(
        name="t",
        parameters={"type": "object", "properties": {"n": {}}},
        concurrency=Concurrency(2, key),
        rate=Rate(3, 60.0, key),
    )
    call = ToolCall("c", "t", {"n": 1, "context": {"tenant": "mine", "principal": "me"}})
    context = Context(tenant="acme", principal="ann")

    assert limit_of(call, tool, context) == Concurrency(2, "acme/ann/1")
    assert rate_of(call, tool, context) == Rate(3, 60.0, "acme/ann/1")
    assert rate_of(ToolCall("c", "t", {}), tool, context) == Rate(3, 60.0, key)


def test_a_limit_without_a_key_is_the_tools_own() -> None:
    """No two tools share it."""
    tool = Tool(name="t", rate=Rate(3, 60.0), concurrency=Concurrency(2))

    assert rate_of(ToolCall("c", "t", {}), tool, Context()) == Rate(3, 60.0, "t")
    assert limit_of(ToolCall("c", "t", {}), tool, Context()) == Concurrency(2, "t")
