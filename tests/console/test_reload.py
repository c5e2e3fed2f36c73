"""`toolferry up --reload`: new code comes in, running calls finish on the old, none is lost."""

from __future__ import annotations

import importlib.util
import os
import sys
import threading
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.console.conftest import Toolferry
from tests.console.ear import Ear, started
from tests.waiting import wait_until
from toolferry import Outcome, Registry, ToolCall, ToolResult
from toolferry_dispatcher import Dispatcher, TurnHandle
from toolferry_ledger import Settings
from toolferry_ledger.server import Served

TOOLS = '''
import asyncio
from pathlib import Path

from toolferry import tool

VERSION = 1


@tool(timeout=60)
async def tell(folder: str = "") -> int:
    """Tell the version, once somebody has written to the pipe."""
    if folder:
        Path(folder, "tell").touch()
        await asyncio.to_thread(Path(folder, "go").read_bytes)
    return VERSION


@tool(timeout=60)
def tell_slowly(folder: str = "") -> int:
    """Tell the version from a process, once somebody has written to its pipe."""
    if folder:
        Path(folder, "tell_slowly").touch()
        Path(folder, "go_slowly").read_bytes()
    return VERSION
'''


@dataclass
class Site:
    """A folder with tools whose workers run under `toolferry up --reload`."""

    tools: Path
    dispatcher: Dispatcher
    ear: Ear
    #: What the tools tell now.
    version: int = 1

    def write_next(self, more: str = "") -> None:
        """Change what the tools tell, and add some code."""
        text = TOOLS.replace("VERSION = 1", f"VERSION = {self.version + 1}")
        self.tools.write_text(text + more, encoding="utf-8")

    def reload(self) -> int:
        """Change what the tools tell, wait for the reload, and give it."""
        self.write_next()
        self.ear.wait_for("reloaded in")
        self.version += 1
        return self.version

    def dispatch(self, **arguments: str) -> TurnHandle:
        """Call both tools, one of each lane."""
        names = ("tell", "tell_slowly")
        return self.dispatcher.dispatch([ToolCall(name, name, arguments) for name in names])

    def told(self) -> list[object]:
        """Call both tools and give what they tell."""
        return told(self.dispatch().gather())


def told(results: list[ToolResult]) -> list[object]:
    """Give what calls told that succeeded on their first attempt."""
    assert [(result.outcome, result.attempts) for result in results] == [
        (Outcome.SUCCEEDED, 1)
    ] * len(results), results
    return [result.content for result in results]


def registry_of(path: Path) -> Registry:
    """Read tools as an agent's process does."""
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return Registry.from_module(module)


@pytest.fixture(scope="module")
def site(server: Served, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """Run `toolferry up --reload` for all tests here; each leaves tools that work."""
    tools = tmp_path_factory.mktemp("site") / f"tools_{uuid.uuid4().hex[:8]}.py"
    tools.write_text(TOOLS, encoding="utf-8")
    settings = Settings(
        url=server.url, secret=server.secret.encode(), namespace=f"test-{uuid.uuid4().hex[:12]}"
    )
    command = ("up", "--reload", "--tools", tools.stem)
    with (
        Dispatcher(registry_of(tools), settings) as dispatcher,
        started(*command, cwd=tools.parent, environ=os.environ | settings.environment()) as up,
    ):
        up.ear.wait_for("worker.ready")
        up.ear.wait_for("worker.ready")
        yield Site(tools, dispatcher, up.ear)
        assert up.stop() == 0


def test_running_calls_finish_on_the_old_code(site: Site, tmp_path: Path) -> None:
    """What was running tells the old version, what is called after the reload the new one."""
    old = site.version
    pipes = [tmp_path / "go", tmp_path / "go_slowly"]
    for pipe in pipes:
        os.mkfifo(pipe)
    running = site.dispatch(folder=str(tmp_path))
    for name in ("tell", "tell_slowly"):
        wait_until((tmp_path / name).exists, f"the start of {name}")
    new = site.reload()

    fresh = site.told()
    for pipe in pipes:
        pipe.write_bytes(b"go")

    assert fresh == [new, new]
    assert told(running.gather()) == [old, old]


@pytest.mark.slow
def test_no_call_is_lost_or_failed_through_reloads(site: Site) -> None:
    """Calls that are made all the time succeed, each on its first attempt."""
    old = site.version
    told_so_far: list[object] = []
    enough = threading.Event()

    def call_on_and_on() -> None:
        while not enough.is_set():
            told_so_far.extend(site.told())

    caller = threading.Thread(target=call_on_and_on)
    caller.start()
    for _ in range(2):
        site.reload()
    enough.set()
    caller.join()

    assert told_so_far[0] == old
    assert site.told() == [old + 2, old + 2]


def test_a_reload_that_fails_to_import_leaves_the_workers_as_they_are(site: Site) -> None:
    """One sentence names module, file and line; the next change tries again."""
    old = site.version
    site.write_next("\nfrom nowhere import nothing\n")
    sentence = site.ear.wait_for("not reloaded")

    meanwhile = site.told()
    new = site.reload()

    line = TOOLS.count("\n") + 2
    assert f"tools module {site.tools.stem}: it cannot be imported: " in sentence
    assert f"No module named 'nowhere' ({site.tools}, line {line})" in sentence
    assert sentence.endswith("; the workers go on with the code they have")
    assert meanwhile == [old, old]
    assert site.told() == [new, new]


@pytest.mark.slow
def test_new_workers_that_do_not_come_up_are_given_up(site: Site) -> None:
    """What goes wrong only in a worker costs nothing that works."""
    old = site.version
    site.write_next("\nimport sys\nassert 'celery' not in sys.modules, 'no worker'\n")
    sentence = site.ear.wait_for("not reloaded")

    meanwhile = site.told()
    site.reload()

    assert "worker does not stay up" in sentence
    assert "no worker" in sentence
    assert meanwhile == [old, old]


def test_tools_that_cannot_be_imported_are_refused_at_the_start(
    tmp_path: Path, settings: Settings
) -> None:
    """There is nothing to go on with yet, so the command ends with one line."""
    tools = tmp_path / f"tools_{uuid.uuid4().hex[:8]}.py"
    tools.write_text("def tell(:\n", encoding="utf-8")
    environ = os.environ | settings.environment()

    with started("up", "--reload", "--tools", tools.stem, cwd=tmp_path, environ=environ) as up:
        line = up.ear.wait_for("toolferry: tools module")
        code = up.wait()

    assert code == 2
    assert "SyntaxError" in line
    assert f"({tools}, line 1)" in line


def test_without_its_extra_it_says_what_to_install(
    toolferry: Toolferry, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`--reload` needs a package that nothing else does."""
    for name in ("toolferry_console.reloading", "toolferry_console.sources"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    monkeypatch.setitem(sys.modules, "watchfiles", None)

    ran = toolferry("up", "--reload")

    assert ran.code == 2
    assert ran.err == "toolferry: needs watchfiles: pip install 'toolferry[reload]'\n"
