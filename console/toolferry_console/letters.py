"""Dead letters at the terminal: which are meant, and what is told of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from typing import Annotated, Any, Final

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text
from typer.exceptions import TyperException

from toolferry import SCHEMA_VERSION, Tool, ToolResult, load_tools
from toolferry.legible import one_line
from toolferry.masking import hide_arguments, mask_arguments
from toolferry_console.durations import duration_text, read_duration
from toolferry_console.exit_codes import ExitCode
from toolferry_console.jury import operators_jury
from toolferry_console.printing import err, out, print_json
from toolferry_console.tables import MAX_CALL_ID
from toolferry_ledger import (
    Bell,
    CallStory,
    Catalog,
    DeadLetter,
    DeadLetters,
    Ledger,
    LetterFilter,
    Replayed,
    Signer,
    load_settings,
)

#: Columns that a table may have.
_TABLE_WIDTH: Final = 400
#: Characters of an error's message in a line.
_MAX_MESSAGE: Final = 200

ToolName = Annotated[
    str | None, typer.Option("--tool", metavar="NAME", help="Only those of one tool.")
]
Code = Annotated[
    str | None, typer.Option("--code", metavar="CODE", help="Only those with one error code.")
]
OlderThan = Annotated[
    float | None,
    typer.Option("--older-than", metavar="TIME", parser=read_duration, help="Such as 1h or 7d."),
]
NewerThan = Annotated[
    float | None,
    typer.Option("--newer-than", metavar="TIME", parser=read_duration, help="Such as 15m or 1h."),
]
Limit = Annotated[
    int, typer.Option("--limit", metavar="N", min=1, help="No more than so many, the newest.")
]
Calls = Annotated[
    list[str] | None,
    typer.Argument(metavar="[CALL]...", help="Their keys, as `dead list` shows them."),
]
Twice = Annotated[
    bool,
    typer.Option(
        "--yes-it-may-happen-twice",
        help="Repeat also what may have happened already and must not happen twice.",
    ),
]


@dataclass(frozen=True, slots=True)
class Desk:
    """What the commands on dead letters work with."""

    letters: DeadLetters
    ledger: Ledger
    catalog: Catalog

    def tool(self, name: str, modules: str | None) -> Tool | None:
        """Find a tool: in the modules that are named, or else as live workers offer it."""
        if modules is not None:
            return load_tools(modules).get(name)
        return self.catalog.read().tools().get(name)


@contextmanager
def open_desk() -> Iterator[Desk]:
    """Open the dead letters of the system that the environment names."""
    settings = load_settings()
    signer = Signer(settings.secret)
    with closing(Ledger(settings)) as ledger, closing(Bell(settings)) as bell:
        ledger.check()
        catalog = Catalog(ledger, signer)
        letters = DeadLetters(ledger, signer, bell, operators_jury(catalog))
        yield Desk(letters, ledger, catalog)


def chosen(
    letters: DeadLetters, calls: Sequence[str] | None, which: LetterFilter, limit: int
) -> list[str]:
    """Give the keys of the letters that are meant: those named, or those that a filter finds.

    Raises:
        TyperException: Neither is given, or both are.
    """
    if bool(calls) == (which != LetterFilter()):
        raise TyperException(
            "Name calls, or say which with --tool, --code, --older-than or --newer-than"
        )
    keys = list(calls or [letter.call_key for letter in letters.list(which, limit)])
    if not calls and len(keys) == limit:
        err().print(f"only the newest {limit} are taken; --limit takes more", style="yellow")
    return keys


def print_letters(letters: Sequence[DeadLetter], now: float) -> None:
    """Print dead letters as a table."""
    screen = out()
    if not letters:
        screen.print("no dead letters")
        return
    table = Table(box=None, pad_edge=False, header_style="bold")
    for heading in ("call", "tool", "code", "effect", "attempts", "age", "replays"):
        table.add_column(heading, overflow="fold", no_wrap=heading not in {"call", "tool"})
    for letter in letters:
        result = letter.result
        cells = [letter.call_key, letter.tool, letter.code, result.effect.value]
        cells += [str(result.attempts), duration_text(max(0.0, now - letter.ended_at))]
        cells.append("settled" if letter.settled_by else str(len(letter.replays)))
        table.add_row(*(Text(one_line(cell, MAX_CALL_ID)) for cell in cells))
    # A line is a letter, also where it is longer than the screen: keys are copied from here.
    screen.width = _TABLE_WIDTH
    screen.print(table, soft_wrap=True)


def shown_arguments(story: CallStory, tool: Tool | None) -> dict[str, Any] | None:
    """Give the arguments of a call as people may see them; None when they cannot be believed."""
    if story.spec is None:
        return None
    if tool is None:
        return hide_arguments(story.spec.arguments)
    return mask_arguments(tool.parameters, story.spec.arguments)


def print_story(screen: Console, story: CallStory, arguments: dict[str, Any] | None) -> None:
    """Print all that is known of a call, one fact a line."""
    for line in _story_lines(story, arguments):
        screen.print(Text(one_line(line, 4 * _MAX_MESSAGE)), soft_wrap=True)


def report_replays(replays: Sequence[Replayed], *, json: bool) -> ExitCode:
    """Tell what became of the wish to repeat calls."""
    if json:
        rows = [
            {
                "call": one.call_key,
                "replay": one.replay or None,
                "refusal": one.refusal or None,
                "unconfirmed": one.unconfirmed,
            }
            for one in replays
        ]
        print_json({"schema_version": SCHEMA_VERSION, "replays": rows})
    else:
        for one in replays:
            _print_replay(one)
    refused = any(one.refusal for one in replays)
    return ExitCode.NOT_ALL_SUCCEEDED if refused else ExitCode.OK


def _print_replay(one: Replayed) -> None:
    key = one_line(one.call_key, MAX_CALL_ID)
    if one.replay:
        out().print(
            Text(f"{key} is repeated as {one_line(one.replay, MAX_CALL_ID)}"), soft_wrap=True
        )
        return
    hint = ", then add --yes-it-may-happen-twice" if one.unconfirmed else ""
    err().print(Text(f"toolferry: call {key}: {one.refusal}{hint}"), soft_wrap=True)


def _story_lines(story: CallStory, arguments: dict[str, Any] | None) -> Iterator[str]:
    yield f"call {story.call_key} of {story.tool}: {story.state.value}"
    yield f"tenant {story.tenant}"
    if story.spec is not None and story.spec.conversation_id:
        yield f"conversation {story.spec.conversation_id}"
    if story.replay_of:
        yield f"replay of {story.replay_of}"
    yield "its record cannot be trusted" if arguments is None else f"arguments {arguments}"
    for past in story.attempts:
        late = ", late: it changed nothing" if past.late else ""
        took = "" if past.started_at is None else f" after {past.ended_at - past.started_at:.1f} s"
        why = f" ({past.code}): {past.message}" if past.code else ""
        yield f"attempt {past.attempt} on {past.worker}: {past.outcome.value}{took}{why}{late}"
    if story.result is not None:
        yield f"result: {_came_to(story.result)}"
    for replay in story.replays:
        state = "not kept any more" if replay.state is None else replay.state.value
        told = state if replay.result is None else _came_to(replay.result)
        yield f"replay {replay.call_key}: {told}"


def _came_to(result: ToolResult) -> str:
    why = "" if result.error is None else f" ({result.error.code}): {result.error.message}"
    return f"{result.outcome.value}, effect {result.effect.value}{why}"
