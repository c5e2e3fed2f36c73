"""`toolferry events`: late results, dead letters and ended replays, as they come."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from contextlib import closing
from itertools import chain
from typing import Annotated

import typer
from rich.text import Text

from toolferry.legible import one_line
from toolferry_console.exit_codes import ExitCode
from toolferry_console.printing import out, print_json
from toolferry_console.tables import MAX_CALL_ID
from toolferry_dispatcher.listening import listen
from toolferry_ledger import NEWEST, OLDEST, Ledger, LedgerEvent, load_settings


def _position(text: str) -> str:
    if not re.fullmatch(r"\d{1,19}-\d{1,19}", text):
        raise typer.BadParameter(
            f"{text!r:.40} is no position of an event, such as 1700000000000-0"
        )
    return text


def events(
    follow: Annotated[bool, typer.Option("--follow", help="Go on with what comes.")] = False,
    after: Annotated[
        str | None,
        typer.Option(metavar="POSITION", parser=_position, help="Go on after this event."),
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object a line.")] = False,
) -> int:
    """Print what happened to calls that somebody may have to hear of."""
    with closing(Ledger(load_settings())) as ledger:
        ledger.check()
        if follow:
            told = listen(ledger, after or NEWEST)
        else:
            told = chain.from_iterable(_kept(ledger, after or OLDEST))
        try:
            for event in told:
                _print(event, json=json)
        except BrokenPipeError:  # whoever read them has read enough
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return ExitCode.OK


def _kept(ledger: Ledger, after: str) -> Iterator[list[LedgerEvent]]:
    after, events = ledger.read_events(after, 0)
    while events:
        yield events
        after, events = ledger.read_events(after, 0)


def _print(event: LedgerEvent, *, json: bool) -> None:
    if json:
        print_json(event.to_json())
        return
    state = "not kept any more" if event.state is None else event.state.value
    key = one_line(event.call_key, MAX_CALL_ID)
    out().print(Text(f"{event.position} {event.kind} {key} {event.tool} {state}"), soft_wrap=True)
