"""`toolferry token`: what a person shows to decide about calls."""

from __future__ import annotations

from contextlib import closing
from typing import Annotated, Final

import typer

from toolferry import SCHEMA_VERSION
from toolferry_console.durations import read_duration
from toolferry_console.exit_codes import ExitCode
from toolferry_console.options import Json
from toolferry_console.printing import print_json
from toolferry_ledger import TOKEN, Ledger, Signer, load_settings, write_token

token = typer.Typer(help="Make tokens of people who decide about calls.")

_WORKING_DAY: Final = "8h"


@token.callback()
def _token() -> None:
    """Keep `create` a word of its own: more will follow."""


@token.command("create")
def create(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Whose it is.")],
    role: Annotated[
        list[str] | None, typer.Option(metavar="ROLE", help="What they are; may be repeated.")
    ] = None,
    expires: Annotated[
        str, typer.Option(metavar="TIME", help="For how long it counts, such as 8h or 7d.")
    ] = _WORKING_DAY,
    json: Json = False,
) -> int:
    """Print a token, for TOOLFERRY_TOKEN; it cannot be taken back before its end."""
    lasts = read_duration(expires)
    settings = load_settings()
    with closing(Ledger(settings)) as ledger:
        until = ledger.now() + lasts
    text = write_token(Signer(settings.secret), name, role or (), until)
    if json:
        print_json({"schema_version": SCHEMA_VERSION, "token": text, "until": until})
    else:
        typer.echo(f"{TOKEN}={text}")
    return ExitCode.OK
