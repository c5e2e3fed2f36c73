"""The commands, put together."""

from __future__ import annotations

from collections.abc import Sequence

import typer
from typer.exceptions import TyperException

from toolferry import ToolferryError
from toolferry_console.commands.run import run
from toolferry_console.commands.status import status
from toolferry_console.commands.tools import tools
from toolferry_console.commands.up import up
from toolferry_console.commands.worker import worker
from toolferry_console.logs import log_to_stderr

app = typer.Typer(
    name="toolferry",
    help="Run a model's tool calls on Celery workers and gather the results by call_id.",
    add_completion=False,
    pretty_exceptions_enable=False,
)
for command in (up, worker, run, tools, status):
    app.command()(command)


class UsageWrong(ToolferryError):
    """The command line itself is wrong."""


def execute(arguments: Sequence[str]) -> int:
    """Run the command that the arguments name and give its exit code.

    Raises:
        ToolferryError: The input, the configuration or the usage is wrong.
    """
    log_to_stderr()
    try:
        code = app(list(arguments), prog_name="toolferry", standalone_mode=False)
    except TyperException as error:
        sentence = error.format_message().rstrip(".")
        raise UsageWrong(f"{sentence}; see: toolferry --help") from error
    return int(code or 0)
