"""`toolferry lint`: what a provider would refuse a transcript for."""

from __future__ import annotations

import json as json_module
import shutil
from pathlib import Path
from typing import Annotated, Any, Final

import typer
from rich.text import Text

from toolferry import SCHEMA_VERSION
from toolferry.legible import one_line
from toolferry_console.errors import InputUnreadable
from toolferry_console.exit_codes import ExitCode
from toolferry_console.options import Json
from toolferry_console.printing import err, out, print_json
from toolferry_console.reading import STDIN, read_json
from toolferry_dispatcher.transcripts import (
    WireFault,
    guess_provider,
    lint_messages,
    mend_messages,
)

#: Characters of what is told of a fault: names and ids in a file may be anybody's.
MAX_LINE: Final = 500
#: Where a request has its messages, by the words of the formats.
_PLACES: Final = ("messages", "input", "contents")


def lint(
    file: Annotated[
        str, typer.Argument(metavar="FILE", help="A list of messages, or a request; - for stdin.")
    ],
    provider: Annotated[
        str, typer.Option(help="Whose format it is in; else told by its messages.")
    ] = "auto",
    fix: Annotated[
        bool, typer.Option("--fix", help="Mend the file; what comes from stdin goes to stdout.")
    ] = False,
    json: Json = False,
) -> int:
    """Find what a provider would refuse a transcript for, and mend it.

    The exit code is 1 when there is something that was not mended.
    """
    body = read_json(file)
    messages = _messages_of(body, file)
    name = guess_provider(messages) if provider == "auto" else provider
    faults = lint_messages(messages, name)
    # What has no fault is not even written anew; of what comes from stdin somebody waits for it.
    if fix and (faults or file == STDIN):
        _write(file, body, mend_messages(messages, name))
    if json and not (fix and file == STDIN):
        print_json(_to_json(faults, name, fixed=fix))
    else:
        _print(faults, name, fixed=fix)
    return ExitCode.NOT_ALL_SUCCEEDED if faults and not fix else ExitCode.OK


def _messages_of(body: Any, source: str) -> list[Any]:
    found = body
    if isinstance(body, dict):
        found = next((body[place] for place in _PLACES if place in body), None)
    if not isinstance(found, list) or not all(isinstance(one, dict) for one in found):
        places = ", ".join(_PLACES)
        reason = f"holds no list of messages, and no request with one under {places}"
        raise InputUnreadable(source, reason)
    return found


def _write(source: str, body: Any, mended: list[dict[str, Any]]) -> None:
    if isinstance(body, dict):
        place = next(place for place in _PLACES if place in body)
        body = {**body, place: mended}
    else:
        body = mended
    text = json_module.dumps(body, ensure_ascii=False, indent=2) + "\n"
    if source == STDIN:
        out().file.write(text)
        return
    # What a link points to is mended, and stays as private as it was.
    path = Path(source).resolve()
    beside = path.with_name(f".{path.name}.mended")
    try:
        beside.touch(mode=0o600)
        beside.write_text(text, encoding="utf-8")
        shutil.copymode(path, beside)
        beside.replace(path)
    except OSError as error:
        beside.unlink(missing_ok=True)
        raise InputUnreadable(source, f"cannot be written: {error.strerror}") from error


def _to_json(faults: tuple[WireFault, ...], provider: str, *, fixed: bool) -> dict[str, Any]:
    return {
        "schema_version": SCHEMA_VERSION,
        "provider": provider,
        "fixed": fixed,
        "faults": [
            {"rule": fault.rule.value, "message": fault.message, "detail": fault.detail}
            for fault in faults
        ],
    }


def _print(faults: tuple[WireFault, ...], provider: str, *, fixed: bool) -> None:
    # What is mended goes to stdout, so what is told of it does not.
    screen = err() if fixed else out()
    for fault in faults:
        told = f"messages[{fault.message}]: {fault.rule.value}: {one_line(fault.detail, MAX_LINE)}"
        screen.print(Text(told), soft_wrap=True)
    what = "mended" if fixed else "found"
    count = "1 fault" if len(faults) == 1 else f"{len(faults)} faults"
    screen.print(Text(f"{provider}: {count} {what}"), soft_wrap=True)
