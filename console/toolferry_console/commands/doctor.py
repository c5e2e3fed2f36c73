"""`toolferry doctor`: whether an installation works, and what it promises."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from rich.console import Console
from rich.text import Text

from toolferry.legible import one_line
from toolferry_console.checkup import Checkup, check_up
from toolferry_console.exit_codes import ExitCode
from toolferry_console.options import Json
from toolferry_console.printing import out, print_json
from toolferry_ledger.server import Grade, Remark

_STYLES: Final[Mapping[Grade, str]] = MappingProxyType(
    {Grade.OK: "green", Grade.WARN: "yellow", Grade.FAIL: "red"}
)
#: Characters of one sentence; what other programs say in it may be long.
_MAX_LINE: Final = 400


def doctor(json: Json = False) -> int:
    """Check settings, server, broker and workers; say what to do, and what can be relied on.

    The exit code is 1 when something keeps the installation from working.
    """
    found = check_up()
    if json:
        print_json(found.to_json())
    else:
        _print(out(), found)
    return ExitCode.OK if found.is_well else ExitCode.NOT_ALL_SUCCEEDED


def _print(screen: Console, found: Checkup) -> None:
    for remark in found.remarks:
        screen.print(_line(remark), soft_wrap=True)
    if found.promise:
        screen.print(Text(f"\n{found.promise}"), soft_wrap=True)


def _line(remark: Remark) -> Text:
    line = Text(f"{remark.grade.value:<5}", style=_STYLES[remark.grade])
    line.append(f"{remark.about:<13}{one_line(remark.message, _MAX_LINE)}", style="default")
    if remark.advice:
        line.append(f"\n{'':<18}{remark.advice}", style="dim")
    return line
