"""Loading tools from modules named by the user."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from toolferry import ConfigurationError, ToolDuplicate, ToolInvalid, load_tools

GOOD = '''
from toolferry import tool

@tool
def {name}(a: int) -> int:
    """Do it."""
    return a
'''


@pytest.fixture
def write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str, str], None]]:
    """Write modules into an empty current folder; afterwards they are forgotten."""
    before = set(sys.modules)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    monkeypatch.setattr(sys, "dont_write_bytecode", True)

    def write_module(name: str, text: str) -> None:
        path = tmp_path / f"{name}.py"
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)

    yield write_module
    for name in set(sys.modules) - before:
        del sys.modules[name]


PROFILED = '''
from toolferry import Profile, Registry

registry = Registry()
registry.add_profile("of_{name}", Profile(tools={{"{name}"}}))

@registry.tool
def {name}(a: int) -> int:
    """Do it."""
    return a
'''

POOL = """
from collections.abc import Iterator
from toolferry import lifespan

class Pool: ...

@lifespan
def pool() -> Iterator[Pool]:
    yield Pool()
"""

CLIENT = """
from collections.abc import Iterator
from lt_pool import Pool
from toolferry import lifespan

class Client: ...

@lifespan
def client(pool: Pool) -> Iterator[Client]:
    yield Client()
"""


def refused(names: str) -> str:
    """Load modules that cannot be loaded."""
    with pytest.raises(ConfigurationError) as caught:
        load_tools(names)
    return str(caught.value)


def test_the_tools_of_a_module_in_the_current_folder_are_loaded(
    write: Callable[[str, str], None],
) -> None:
    """As with `python -m`."""
    write("lt_one", GOOD.format(name="one"))

    assert load_tools("lt_one").names() == ("one",)
    assert load_tools("lt_one").names() == ("one",)


def test_a_module_may_lie_in_a_package(write: Callable[[str, str], None]) -> None:
    """Its name has dots."""
    write("lt_pack/__init__", "")
    write("lt_pack/tools", GOOD.format(name="inner"))

    assert load_tools("lt_pack.tools").names() == ("inner",)


def test_several_modules_make_one_registry(write: Callable[[str, str], None]) -> None:
    """Separated by commas; a tool that both have is there once."""
    write("lt_one", GOOD.format(name="one"))
    write("lt_two", "from lt_one import one\n" + GOOD.format(name="two"))

    assert load_tools("lt_one, lt_two").names() == ("one", "two")


def test_two_modules_with_different_tools_of_one_name_are_refused(
    write: Callable[[str, str], None],
) -> None:
    """Nobody could say which one is meant."""
    write("lt_one", GOOD.format(name="same"))
    write("lt_two", GOOD.format(name="same"))

    with pytest.raises(ToolDuplicate, match="same: a tool of this name"):
        load_tools("lt_one,lt_two")


def test_a_module_that_does_not_exist_is_named(write: Callable[[str, str], None]) -> None:
    """There is no file to point to."""
    write("lt_other", "")

    assert refused("lt_missing") == (
        "tools module lt_missing: it cannot be imported: ModuleNotFoundError: No module named"
        " 'lt_missing'"
    )


def test_a_module_that_fails_to_import_is_told_with_its_last_line_and_file(
    write: Callable[[str, str], None], tmp_path: Path
) -> None:
    """Also when the fault lies in a module that it imports."""
    write("lt_bad", "import lt_worse\n")
    write("lt_worse", "\n\nx = 1 / 0\n")

    assert refused("lt_bad") == (
        "tools module lt_bad: it cannot be imported: ZeroDivisionError: division by zero"
        f" ({tmp_path}/lt_worse.py, line 3)"
    )


def test_a_module_with_a_syntax_error_is_told_with_its_line(
    write: Callable[[str, str], None], tmp_path: Path
) -> None:
    """Python itself knows the place."""
    write("lt_syntax", "x = 1\ndef broken(:\n")

    said = refused("lt_syntax")
    assert "it cannot be imported: SyntaxError: " in said
    assert said.endswith(f" ({tmp_path}/lt_syntax.py, line 2)")


def test_a_module_that_exits_is_told(write: Callable[[str, str], None], tmp_path: Path) -> None:
    """A script that was meant to be run must not end the program."""
    write("lt_exit", "raise SystemExit(3)\n")

    assert f"SystemExit: 3 ({tmp_path}/lt_exit.py, line 1)" in refused("lt_exit")


def test_a_tool_that_is_not_sound_is_told_with_its_place(
    write: Callable[[str, str], None], tmp_path: Path
) -> None:
    """The frame that counts is the developer's own."""
    write("lt_unsound", "from toolferry import tool\n\n@tool\ndef f(a): ...\n")

    said = refused("lt_unsound")
    assert "ToolInvalid: f: parameter a has no type hint" in said
    assert f"({tmp_path}/lt_unsound.py, line 3)" in said


def test_a_tool_whose_schema_is_bad_is_refused_by_its_name(
    write: Callable[[str, str], None],
) -> None:
    """The module could be imported; its tool cannot be registered."""
    write("lt_schema", "from toolferry import Tool\nt = Tool(name='', handler=print)\n")

    with pytest.raises(ToolInvalid, match="a tool needs a name"):
        load_tools("lt_schema")


def test_a_module_without_tools_is_refused(write: Callable[[str, str], None]) -> None:
    """It is surely the wrong one."""
    write("lt_empty", "x = 1\n")

    assert "tools module lt_empty: it holds no tools" in refused("lt_empty")


@pytest.mark.parametrize(
    ("name", "module"), [("mytools.py", "mytools"), ("./shop/tools.py", "shop.tools")]
)
def test_a_file_name_is_answered_with_the_name_of_the_module(name: str, module: str) -> None:
    """The most likely slip."""
    assert refused(name).endswith(f"give the module's name, not its file: {module}")


@pytest.mark.parametrize("names", ["", " , "])
def test_no_name_is_refused(names: str) -> None:
    """Somebody forgot it."""
    assert "tools: no module is named" in refused(names)


def test_lifespans_of_all_modules_stand_together(write: Callable[[str, str], None]) -> None:
    """One may need what another module provides, and a module may have nothing else."""
    write("lt_pool", POOL)
    write("lt_client", GOOD.format(name="one") + CLIENT)

    registry = load_tools("lt_client,lt_pool")

    assert [one.name for one in registry.lifespans] == ["client", "pool"]
    assert registry.names() == ("one",)


def test_a_lifespan_that_needs_what_nobody_provides_is_refused(
    write: Callable[[str, str], None],
) -> None:
    """When the tools are loaded, not when a worker starts it."""
    write("lt_pool", POOL)
    write("lt_lonely", GOOD.format(name="one") + CLIENT)

    assert "client: it needs lt_pool.Pool, which nobody provides" in refused("lt_lonely")


def test_lifespans_alone_are_no_tools(write: Callable[[str, str], None]) -> None:
    """A worker without a tool has nothing to do."""
    write("lt_pool", POOL)

    assert refused("lt_pool").startswith("tools module lt_pool: it holds no tools")


def test_profiles_of_several_modules_are_all_known(write: Callable[[str, str], None]) -> None:
    """A task is named alike wherever its profile was added."""
    for name in ("one", "two"):
        write(f"lt_{name}", PROFILED.format(name=name))

    registry = load_tools("lt_one,lt_two")

    assert list(registry.profiles) == ["of_one", "of_two"]
    assert [tool.name for tool in registry.visible(task_type="of_two")] == ["two"]
