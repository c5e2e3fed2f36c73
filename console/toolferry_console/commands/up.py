"""`toolferry up`: the server, when none is configured, and a worker for each lane."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Annotated, Final

import typer
from rich.console import Console
from rich.text import Text

from toolferry import LedgerUnavailable, load_tools
from toolferry_console.events import readable
from toolferry_console.local import local_workers
from toolferry_console.options import Tools
from toolferry_console.printing import out
from toolferry_console.signals import stop_signals
from toolferry_ledger import Ledger, Settings, load_settings
from toolferry_worker.configuration import drain_grace

_COLOURS: Final = {"async": "cyan", "process": "magenta"}
#: Seconds between two looks at the embedded server.
_LOOK_EVERY: Final = 2.0
#: Columns of the longest name of a lane.
_NAME_WIDTH: Final = 7


def up(
    tools: Tools,
    reload: Annotated[
        bool, typer.Option("--reload", help="Reload when the tools change; running calls finish.")
    ] = False,
) -> None:
    """Start everything on this machine and show its log, until Ctrl-C."""
    if not reload:
        load_tools(tools)
    screen = out()
    settings = load_settings()
    Ledger(settings).check()
    screen.print(f"server {settings.safe_url}, namespace {settings.namespace}", markup=False)
    with stop_signals() as stopped:
        if reload:
            _keep_reloading(settings, tools, screen, stopped)
        else:
            _keep_up(settings, tools, screen, stopped)


def _keep_up(settings: Settings, tools: str, screen: Console, stopped: threading.Event) -> None:
    with local_workers(settings, tools, _log_to(screen), drain_grace()):
        screen.print("both lanes start; Ctrl-C stops them")
        while not stopped.wait(_LOOK_EVERY):
            _keep_server_up(screen)
        screen.print("stopping; calls that run may finish")


def _keep_reloading(
    settings: Settings, tools: str, screen: Console, stopped: threading.Event
) -> None:
    from toolferry_console.reloading import Voices, reloading_workers  # noqa: PLC0415 -- an extra

    def say(sentence: str) -> None:
        screen.print(Text(sentence), soft_wrap=True)

    voices = Voices(hear=_log_to(screen), say=say)
    with reloading_workers(settings, tools, drain_grace(), voices, stopped) as workers:
        say("both lanes start, and again when the tools change; Ctrl-C stops them")
        while not stopped.is_set():
            workers.look()
            _keep_server_up(screen)
        say("stopping; calls that run may finish")


def _keep_server_up(screen: Console) -> None:
    """Start the embedded server again if it has died; do nothing about a configured one."""
    try:
        load_settings()
    except LedgerUnavailable as error:
        screen.print(Text(f"{error}; still trying"), soft_wrap=True)


def _log_to(screen: Console) -> Callable[[str, str], None]:
    """Print each line behind the name of the worker that said it."""

    def hear(name: str, line: str) -> None:
        if not line.strip():
            return
        label = Text(f"{name:<{_NAME_WIDTH}} | ", style=_COLOURS.get(name, ""))
        screen.print(label + Text.from_ansi(readable(line)), soft_wrap=True)

    return hear
