"""A trial: the tools are imported in a process of their own, before any worker is.

So a fault is told once, in one sentence, and nothing that runs is touched by it. The trial also
tells which files of one's own were loaded, and how long a call of these tools may run.

`python -m toolferry_console.trial MODULES` prints one JSON object:
`{"fault": str, "files": [str], "longest": float}`.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import sysconfig
import threading
import time
import traceback
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Final

import toolferry
from toolferry import ToolferryError, load_tools
from toolferry_console.leash import on_leash
from toolferry_console.processes import describe

#: Seconds that the import may take.
PATIENCE: Final = 60.0
#: Seconds between two looks whether we are told to stop meanwhile.
_LOOK_EVERY: Final = 0.1
#: Where Python, installed packages and the loader are: nobody edits these.
_INSTALLED: Final = (
    *(Path(sysconfig.get_path(name)) for name in ("stdlib", "platstdlib", "purelib", "platlib")),
    Path(toolferry.__file__).parent,
)
#: A compiled file is trusted when its source has the same second and size: two quick changes are
#: one to it. So nothing is compiled ahead while people edit.
FRESH: Final = {"PYTHONDONTWRITEBYTECODE": "1"}


@dataclass(frozen=True, slots=True)
class Trial:
    """What came of importing the tools."""

    #: Why they cannot be used, in one sentence; empty when they can.
    fault: str
    #: The Python files of one's own that were loaded, also when it went wrong.
    files: frozenset[Path] = frozenset()
    #: The longest timeout of any tool, in seconds.
    longest: float = 0.0


def hold_trial(tools: str, stopped: threading.Event) -> Trial:
    """Import the tools in another process.

    Args:
        tools: The modules, separated by commas.
        stopped: Ends the trial early; it then counts as failed.
    """
    command = on_leash([sys.executable, "-m", "toolferry_console.trial", tools])
    with subprocess.Popen(  # noqa: S603 -- a list of our own, never a shell's
        command,
        env={**os.environ, **FRESH},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    ) as process:
        answer = _answer(process, stopped)
    if answer:
        return _told(tools, answer)
    ended = f"its process ended with {describe(process.returncode)}"
    reason = f"it takes longer than {PATIENCE:g} s" if answer is None else ended
    return Trial(f"tools module {tools}: it cannot be imported: {reason}")


def _told(tools: str, answer: bytes) -> Trial:
    try:
        told = json.loads(answer)
        return Trial(told["fault"], frozenset(map(Path, told["files"])), told["longest"])
    except (ValueError, LookupError, TypeError):
        return Trial(
            f"tools module {tools}: it cannot be imported: it writes to files that it did not open"
        )


def _answer(process: subprocess.Popen[bytes], stopped: threading.Event) -> bytes | None:
    """Wait for what it tells; None when it was ended because nobody waits any longer."""
    give_up_at = time.monotonic() + PATIENCE
    while True:
        try:
            return process.communicate(timeout=_LOOK_EVERY)[0]
        except subprocess.TimeoutExpired:
            if stopped.is_set() or time.monotonic() > give_up_at:
                process.kill()
                return None


def main(tools: str) -> None:
    """Be that process: import, tell, and go without any of the farewells that modules ask for."""
    channel = os.dup(1)
    # What modules print while they are imported is no part of the answer.
    os.dup2(2, 1)
    before = set(sys.modules)
    trial = _import(tools)
    loaded = [module for name, module in list(sys.modules.items()) if name not in before]
    files = {*trial.files, *_files_of(loaded)}
    told = {
        "fault": trial.fault,
        "files": sorted(str(path) for path in files if _is_own(path)),
        "longest": trial.longest,
    }
    with os.fdopen(channel, "w", encoding="utf-8") as answer:
        json.dump(told, answer)
    os._exit(0)


def _import(tools: str) -> Trial:
    try:
        return Trial("", longest=max(tool.timeout for tool in load_tools(tools)))
    except ToolferryError as error:
        return Trial(" ".join(str(error).split()), frozenset(_blamed(error.__cause__)))


def _blamed(error: BaseException | None) -> Iterator[Path]:
    """Give the files that an error went through: what failed is no loaded module any more."""
    if error is None:
        return
    for frame in traceback.extract_tb(error.__traceback__):
        yield Path(frame.filename).absolute()
    if isinstance(error, SyntaxError) and error.filename:
        yield Path(error.filename).absolute()


def _files_of(modules: Iterable[ModuleType]) -> Iterator[Path]:
    for module in modules:
        file = getattr(module, "__file__", None)
        if isinstance(file, str):
            yield Path(file).absolute()


def _is_own(path: Path) -> bool:
    """Tell whether a file is one that people edit: no part of Python or of what is installed."""
    is_installed = any(path.is_relative_to(folder) for folder in _INSTALLED)
    return path.suffix == ".py" and path.is_file() and not is_installed


if __name__ == "__main__":
    main(sys.argv[1])
