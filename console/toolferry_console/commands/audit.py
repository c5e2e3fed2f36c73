"""`toolferry audit`: whether what was recorded is as it was written."""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Annotated, Final

import typer
from rich.text import Text
from typer.exceptions import TyperException

from toolferry import SCHEMA_VERSION, ConfigurationError, load_tools
from toolferry.legible import one_line
from toolferry_console.exit_codes import ExitCode
from toolferry_console.options import Json, ToolsIfAny
from toolferry_console.printing import err, out, print_json
from toolferry_ledger import Catalog, Ledger, Settings, Signer, load_settings
from toolferry_ledger.audit.folder import locked
from toolferry_ledger.audit.sealer import Sealer
from toolferry_ledger.audit.telling import Schemas
from toolferry_ledger.audit.verifying import Verified, verify, verify_folders
from toolferry_ledger.connection import server_errors

audit = typer.Typer(help="Verify the record of what happened to calls.")

_MAX_LINE: Final = 400

Folders = Annotated[
    list[Path] | None,
    typer.Argument(
        metavar="[FOLDER]...", help="Of all machines that seal. Default: TOOLFERRY_AUDIT."
    ),
]


@audit.command("verify")
def verify_audit(
    folders: Folders = None,
    offline: Annotated[
        bool, typer.Option("--offline", help="Look at the files alone, without the server.")
    ] = False,
    expect: Annotated[
        str | None,
        typer.Option(
            metavar="NUMBER:HASH", help="A head that was printed before: it must be there."
        ),
    ] = None,
    json: Json = False,
) -> int:
    """Say whether files and stream are as they were written; exit code 1 when they are not."""
    settings = load_settings()
    chosen = list(folders or _folder_of(settings))
    anchor = None if expect is None else _read_anchor(expect)
    signer = Signer(settings.secret)
    if offline:
        with locked(chosen):
            found = verify_folders(chosen, signer, anchor)
    else:
        with closing(Ledger(settings)) as ledger, locked(chosen), server_errors(settings):
            found = verify(chosen, signer, ledger.client, settings.key_prefix, anchor)
    if json:
        print_json(found.to_json())
    else:
        _print(found)
    return ExitCode.OK if found.is_sound else ExitCode.NOT_ALL_SUCCEEDED


@audit.command("seal")
def seal(tools: ToolsIfAny = None, json: Json = False) -> int:
    """Bring what waits in the server into the files, now; workers do it once a second."""
    settings = load_settings()
    [folder] = _folder_of(settings)
    if settings.audit is None:
        raise ConfigurationError("TOOLFERRY_AUDIT", "is not set")
    with closing(Ledger(settings)) as ledger:
        signer = Signer(settings.secret)
        sealer = Sealer(ledger, signer, settings.audit, _schemas(ledger, signer, tools))
        try:
            sealed = sealer.seal()
        except OSError as error:
            raise ConfigurationError("TOOLFERRY_AUDIT", f"cannot be written: {error}") from error
    if json:
        print_json({"schema_version": SCHEMA_VERSION, "sealed": sealed})
    else:
        out().print(Text(f"{sealed} entries are sealed in {folder}"), soft_wrap=True)
    return ExitCode.OK


def _folder_of(settings: Settings) -> list[Path]:
    """Give the folder of this process.

    Raises:
        ConfigurationError: It has none.
    """
    if settings.audit is None or settings.audit.folder is None:
        raise ConfigurationError("TOOLFERRY_AUDIT", "names no folder, so name one")
    return [settings.audit.folder]


def _read_anchor(text: str) -> tuple[int, str]:
    if not re.fullmatch(r"\d{1,18}:[0-9a-f]{64}", text):
        raise TyperException("--expect must be NUMBER:HASH, as `audit verify` prints it")
    number, _, own = text.partition(":")
    return int(number), own


def _schemas(ledger: Ledger, signer: Signer, modules: str | None) -> Schemas:
    known = load_tools(modules) if modules else Catalog(ledger, signer).read().tools()

    def find(name: str) -> dict[str, object] | None:
        tool = known.get(name)
        return None if tool is None else dict(tool.parameters)

    return find


def _print(found: Verified) -> None:
    _say([f"{one.where}: {one.what}" for one in found.discrepancies])
    lines = f"{found.lines} lines"
    waiting = "" if found.waiting is None else f", {found.waiting} entries wait in the server"
    word = "all is as it was written" if found.is_sound else "it is not as it was written"
    out().print(Text(f"{word}: {lines}{waiting}"), soft_wrap=True)
    out().print(Text(f"head {found.seal.number}:{found.seal.hash}"), soft_wrap=True)


def _say(lines: Sequence[str]) -> None:
    screen = err()
    for line in lines:
        screen.print(Text(one_line(line, _MAX_LINE)), soft_wrap=True)
