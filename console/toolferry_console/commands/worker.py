"""`toolferry worker`: one worker of one lane, in this process."""

from __future__ import annotations

import os
import sys
from typing import Annotated

import typer

from toolferry import Lane, load_tools
from toolferry_console.options import Tools
from toolferry_worker import command


def worker(
    tools: Tools,
    lane: Annotated[Lane, typer.Option(help="Which calls it runs.")],
    queues: Annotated[
        str | None,
        typer.Option(help="The queues to take calls from, by commas, or * for all of the tools'."),
    ] = None,
    concurrency: Annotated[
        int | None, typer.Option(min=1, help="Calls at once; the lane's default if not given.")
    ] = None,
) -> None:
    """Run one worker until it is told to stop; it then finishes what it runs."""
    load_tools(tools)
    sys.stdout.flush()
    arguments = command(lane, tools=tools, concurrency=concurrency, queues=queues)
    os.execv(arguments[0], arguments)  # noqa: S606 -- a list of our own, never a shell's
