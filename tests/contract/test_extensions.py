"""What an application adds to the pipeline: how it is declared, checked and found."""

from __future__ import annotations

import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from toolferry import (
    NO_EXTENSIONS,
    ConfigurationError,
    Extensions,
    FactProvider,
    Hooks,
    Interceptor,
    Registry,
    fact_provider,
    load_tools,
    tool,
)

OWNER = FactProvider("owner", lambda _facts: "ada")
GUARD = Interceptor("guard")
HOOKS = Hooks(pre_execute=[print])


@tool
async def greet() -> None:
    """Greet."""


@pytest.mark.parametrize(
    ("make", "told"),
    [
        (lambda: FactProvider(" ", print), "needs a name"),
        (lambda: FactProvider("owner", "ada"), "look_up is 'ada'"),  # type: ignore[arg-type]  # nonsense
        (lambda: FactProvider("owner", print, within=0), "must be seconds from 0.001 to 60"),
        (lambda: FactProvider("owner", print, within=True), "within is True"),
        (lambda: FactProvider("owner", print, within=float("nan")), "within is nan"),
        (lambda: Interceptor("guard", before=7), "before is 7"),  # type: ignore[arg-type]  # as above
        (lambda: Interceptor("guard", within=61), "within is 61"),
        (lambda: Hooks(execute=[7]), "hooks execute: holds 7"),  # type: ignore[list-item]  # as above
        (lambda: Hooks(result=7), "hooks result: holds 7"),  # type: ignore[arg-type]  # as above
        (lambda: Hooks(within="1"), "within is '1'"),  # type: ignore[arg-type]  # as above
        (lambda: Extensions(facts=[OWNER, FactProvider("owner", print)]), "has two providers"),
    ],
)
def test_what_cannot_be_asked_is_refused_at_once(make: Any, told: str) -> None:
    """One sentence says what is wrong."""
    with pytest.raises(ConfigurationError, match=told):
        make()


def test_the_name_of_a_function_is_the_name_of_its_fact() -> None:
    """Unless another one is given."""

    @fact_provider
    async def owner(_facts: Any) -> str:
        """Look up who owns it."""
        return "ada"

    @fact_provider(name="limit", tools=["pay"], within=0.2)
    def look_up_limit(_facts: Any) -> int:
        return 7

    assert (owner.name, owner.concerns("pay"), owner.within) == ("owner", True, 1.0)
    assert (look_up_limit.name, look_up_limit.concerns("greet")) == ("limit", False)


def test_a_module_brings_its_extensions_along() -> None:
    """Each once, by whatever names it is known there."""
    module = ModuleType("shop")
    for name, member in {"greet": greet, "a": OWNER, "b": OWNER, "c": GUARD, "d": HOOKS}.items():
        setattr(module, name, member)

    registry = Registry.from_module(module)

    assert registry.extensions == Extensions(facts=[OWNER], interceptors=[GUARD], hooks=[HOOKS])


def test_an_extension_beside_a_registry_that_lacks_it_is_warned_of() -> None:
    """Else it would be passed over in silence; what the registry has is fine."""
    module = ModuleType("shop")
    registry = Registry([greet])
    registry.extend(OWNER)
    for name, member in {"registry": registry, "a": OWNER, "c": GUARD, "d": HOOKS}.items():
        setattr(module, name, member)

    with pytest.warns(UserWarning, match="module shop: Hooks and Interceptor at its top level"):
        found = Registry.from_module(module)
    registry.extend(GUARD, HOOKS)

    assert found is registry
    assert Registry.from_module(module) is registry  # a warning would be an error


def test_a_registry_is_extended_in_order() -> None:
    """What it has already stays once."""
    registry = Registry([greet])
    assert registry.extensions is NO_EXTENSIONS

    registry.extend(GUARD)
    registry.extend(HOOKS, GUARD, OWNER)
    other = Interceptor("other")
    registry.extend(other)

    assert registry.extensions == Extensions(
        facts=[OWNER], interceptors=[GUARD, other], hooks=[HOOKS]
    )


def test_extensions_may_have_a_module_of_their_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is named beside the modules of the tools."""
    (tmp_path / "extension_tools.py").write_text(
        "from toolferry import tool\n@tool\ndef act() -> None:\n    'Act.'\n", encoding="utf-8"
    )
    (tmp_path / "extension_hooks.py").write_text(
        "from toolferry import Hooks\nhooks = Hooks(pre_execute=[print])\n", encoding="utf-8"
    )
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])

    registry = load_tools("extension_tools, extension_hooks")

    assert registry.names() == ("act",)
    assert registry.extensions == Extensions(hooks=[Hooks(pre_execute=[print])])
