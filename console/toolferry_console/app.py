"""The commands, put together; only the one that was asked for is imported."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from importlib import import_module
from typing import Final

import typer
from typer.exceptions import TyperException

from toolferry import ToolferryError
from toolferry_console.logs import log_to_stderr

#: The commands in the order of the help: each is a function, or commands of its own, in a module
#: of its name.
COMMANDS: Final = (
    "init",
    "up",
    "worker",
    "call",
    "run",
    "parse",
    "lint",
    "tools",
    "policy",
    "status",
    "cancel",
    "approvals",
    "approve",
    "deny",
    "token",
    "explain",
    "audit",
    "doctor",
    "dead",
    "retry",
    "undo",
    "events",
    "purge",
)


class UsageWrong(ToolferryError):
    """The command line itself is wrong."""


def execute(arguments: Sequence[str]) -> int:
    """Run the command that the arguments name and give its exit code.

    Raises:
        ToolferryError: The input, the configuration or the usage is wrong.
    """
    log_to_stderr()
    # The libraries of all commands together take half a second to import.
    wanted = [name for name in arguments[:1] if name in COMMANDS]
    try:
        code = _app(wanted or COMMANDS)(
            list(arguments), prog_name="toolferry", standalone_mode=False
        )
    except TyperException as error:
        sentence = error.format_message().rstrip(".")
        raise UsageWrong(f"{sentence}; see: toolferry --help") from error
    return int(code or 0)


def _app(names: Iterable[str]) -> typer.Typer:
    app = typer.Typer(
        name="toolferry",
        help="Run a model's tool calls on Celery workers and gather the results by call_id.",
        add_completion=False,
        pretty_exceptions_enable=False,
    )
    # With it, one command alone is still called by its name.
    app.callback()(_nothing)
    for name in names:
        command = getattr(import_module(f"toolferry_console.commands.{name}"), name)
        if isinstance(command, typer.Typer):
            app.add_typer(command, name=name)
        else:
            app.command()(command)
    return app


def _nothing() -> None:
    """Do nothing before a command."""
