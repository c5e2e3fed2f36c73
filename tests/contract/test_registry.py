"""The registry: what it takes, what it gives, from any thread."""

from __future__ import annotations

import threading
import types
from typing import Any

import pytest

from tests.contract.samples import echo, made
from toolferry import (
    EffectClass,
    HandlerMissing,
    Registry,
    SchemaInvalid,
    Tool,
    ToolDuplicate,
    ToolInvalid,
    ToolNameEmpty,
    ToolNotRegistered,
    tool,
)


def test_a_registered_tool_can_be_got_by_its_name() -> None:
    """Registering gives the tool back, so that it can be chained."""
    registry = Registry()

    sample = registry.register(made())
    assert registry.get("sample") is sample
    assert registry.get("other") is None
    assert "sample" in registry
    assert (len(registry), registry.names(), list(registry)) == (1, ("sample",), [sample])


@pytest.mark.parametrize("name", ["", "  "])
def test_a_tool_without_a_name_is_refused(name: str) -> None:
    """First of the three checks."""
    with pytest.raises(ToolNameEmpty, match="tool: a tool needs a name"):
        Registry().register(made(name=name))


def test_a_tool_without_a_handler_is_refused() -> None:
    """Second of the three checks."""
    with pytest.raises(HandlerMissing, match="only_told: it has no handler"):
        Registry().register(Tool(name="only_told"))


def test_a_second_tool_of_the_same_name_is_refused() -> None:
    """Third of the three checks; the first tool stays."""
    first = made()
    registry = Registry([first])

    with pytest.raises(ToolDuplicate, match="sample: a tool of this name is registered already"):
        registry.register(made())
    assert registry.get("sample") is first


def test_the_three_errors_are_distinct() -> None:
    """A program can tell them apart, or catch all of them."""
    kinds = {ToolNameEmpty, HandlerMissing, ToolDuplicate}

    assert all(issubclass(kind, ToolInvalid) for kind in kinds)
    assert not any(issubclass(a, b) for a in kinds for b in kinds - {a})


@pytest.mark.parametrize("name", ["two words", "line\nbreak", "x" * 257])
def test_a_name_that_no_provider_could_carry_is_refused(name: str) -> None:
    """Blanks, control characters and endless names are mistakes."""
    with pytest.raises(ToolInvalid, match="a name is at most 256 characters, without blanks"):
        Registry().register(made(name=name))


@pytest.mark.parametrize("name", ["calendar.update_event", "crm/contacts.find", "検索", "x" * 141])
def test_a_name_of_the_wild_is_taken(name: str) -> None:
    """How it looks on a provider's wire is the provider's matter."""
    assert Registry([made(name=name)]).names() == (name,)


def test_replacing_gives_the_old_tool_back() -> None:
    """The new one answers from then on, in the old one's place."""
    first, second = made(), made()
    registry = Registry([first, made(name="other")])

    assert registry.replace(second) is first
    assert registry.get("sample") is second
    assert registry.names() == ("sample", "other")


def test_what_is_not_registered_cannot_be_replaced_or_taken_out() -> None:
    """A misspelt name is noticed."""
    with pytest.raises(ToolNotRegistered, match="sample: no tool of this name is registered"):
        Registry().replace(made())
    with pytest.raises(ToolNotRegistered, match="other: no tool of this name is registered"):
        Registry().unregister("other")


def test_a_bad_replacement_leaves_the_old_tool_in_place() -> None:
    """It is checked like any other."""
    registry = Registry([first := made()])

    with pytest.raises(SchemaInvalid):
        registry.replace(made({"type": "array"}))
    assert registry.get("sample") is first


def test_an_unregistered_tool_is_gone() -> None:
    """Its name is free again."""
    registry = Registry([sample := made()])

    assert registry.unregister("sample") is sample
    assert registry.names() == ()
    registry.register(made())


@pytest.mark.parametrize("word", ["display", "resource"])
def test_a_template_that_names_no_parameter_is_refused(word: str) -> None:
    """A misspelt place would never be filled."""
    schema = {"properties": {"path": {"type": "string"}}}

    good: dict[str, Any] = {word: "{path} {path.x}"}
    bad: dict[str, Any] = {word: "{pth}"}

    Registry([made(schema, **good)])
    with pytest.raises(ToolInvalid, match=rf"sample: {word} names {{pth}}, which is no parameter"):
        Registry([made(schema, **bad)])


def test_an_example_that_does_not_fit_is_refused() -> None:
    """A wrong example teaches the model wrong calls."""
    schema = {"properties": {"n": {"type": "integer"}}}

    with pytest.raises(ToolInvalid, match="sample: example 2 does not fit: n: expected integer, g"):
        Registry([made(schema, examples=[{"n": 1}, {"n": "x"}])])


def test_tools_are_chosen_by_several_conditions() -> None:
    """Each that is given must hold; the order of registration stays."""
    read = made(name="read", category="files", tags={"disk", "safe"})
    write = made(name="write", category="files", tags={"disk"}, effect=EffectClass.WRITE)
    search = made(name="search", category="web", tags={"safe"})
    registry = Registry([read, write, search])

    assert registry.visible() == (read, write, search)
    assert registry.visible(["search", "read", "unknown"]) == (read, search)
    assert registry.visible(categories=["files"]) == (read, write)
    assert registry.visible(tags=["safe", "other"]) == (read, search)
    assert registry.visible(effects=[EffectClass.READ]) == (read, search)
    assert registry.visible(categories=["files"], tags=["safe"]) == (read,)
    assert registry.visible([]) == ()


def test_the_registry_decorates_functions() -> None:
    """With and without options."""
    registry = Registry()

    @registry.tool
    def first(a: int) -> int:
        """Do this."""
        return a

    @registry.tool(name="2nd")
    def second() -> None:
        """Do that."""

    assert registry.names() == ("first", "2nd")
    assert first(3) == 3
    assert second.description == "Do that."
    assert registry.tool(echo, name="echo", parameters={"type": "object"}).name == "echo"


def test_a_module_gives_its_own_registry() -> None:
    """What it did not register is left alone."""
    module = types.ModuleType("mytools")
    module.registry = Registry([made()])  # type: ignore[attr-defined]  # as a module body does
    module.loose = made(name="loose")  # type: ignore[attr-defined]  # as above

    assert Registry.from_module(module).names() == ("sample",)


def test_a_module_without_a_registry_gives_its_tools() -> None:
    """Each once, whatever its variables are called."""
    module = types.ModuleType("mytools")
    vars(module).update(one=(one := made()), alias=one, two=made(name="two"), registry="no", n=1)

    assert Registry.from_module(module).names() == ("sample", "two")


def test_many_threads_can_register_at_once() -> None:
    """No tool is lost, and of one name one thread wins."""
    registry = Registry()
    barrier = threading.Barrier(8)
    refused: list[str] = []

    def work(number: int) -> None:
        barrier.wait()
        for index in range(20):
            registry.register(made(name=f"t{number}_{index}"))
            assert registry.visible()
        try:
            registry.register(made(name="shared"))
        except ToolDuplicate as error:
            refused.append(error.setting)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(registry) == 161
    assert refused == ["shared"] * 7


def test_tools_can_be_taken_out_while_others_are_listed() -> None:
    """A walk over the registry sees it as it was at its start."""
    registry = Registry([made(name="a"), made(name="b")])

    for one in registry:
        registry.unregister(one.name)
    assert len(registry) == 0


@tool
def stands_at_the_top_level() -> None:
    """Belong to this module."""


def test_a_decorated_function_of_a_module_is_found() -> None:
    """`@tool` alone suffices, no registry is needed."""
    import sys  # noqa: PLC0415 -- only here

    assert "stands_at_the_top_level" in Registry.from_module(sys.modules[__name__])
