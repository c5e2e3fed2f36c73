"""The options that several commands share."""

from __future__ import annotations

from typing import Annotated, Final

import typer

Tools = Annotated[
    str,
    typer.Option(
        "--tools",
        envvar="TOOLFERRY_TOOLS",
        metavar="MODULE",
        help="The module that defines the tools; several are separated by commas.",
    ),
]
ToolsIfAny = Annotated[
    str | None,
    typer.Option(
        "--tools",
        envvar="TOOLFERRY_TOOLS",
        metavar="MODULE",
        help="The module that defines the tools; several are separated by commas.",
    ),
]
WaitingCall = Annotated[
    str, typer.Argument(metavar="CALL", help="Its key, as `approvals list` shows it.")
]
#: How a command takes arguments; see `reading.read_arguments`.
ARGUMENTS_FORMS: Final = "JSON|@FILE|-"
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")]
