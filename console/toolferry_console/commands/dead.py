"""`toolferry dead`: calls that ended without success, for a person to look at and repeat."""

from __future__ import annotations

from typing import Annotated

import typer

from toolferry import SCHEMA_VERSION
from toolferry_console.exit_codes import ExitCode
from toolferry_console.letters import (
    Calls,
    Code,
    Limit,
    NewerThan,
    OlderThan,
    ToolName,
    Twice,
    chosen,
    open_desk,
    print_letters,
    print_story,
    report_replays,
    shown_arguments,
)
from toolferry_console.options import Json, ToolsIfAny
from toolferry_console.printing import out, print_json
from toolferry_ledger import LetterFilter

dead = typer.Typer(help="See, repeat and discard calls that ended without success.")


@dead.command("list")
def list_letters(  # noqa: PLR0913, PLR0917 -- each is one option of the command
    tool: ToolName = None,
    code: Code = None,
    older_than: OlderThan = None,
    newer_than: NewerThan = None,
    settled: Annotated[
        bool, typer.Option("--all", help="Also those that a replay has settled.")
    ] = False,
    limit: Limit = 100,
    json: Json = False,
) -> int:
    """List dead letters, the newest first."""
    which = LetterFilter(
        tool=tool, code=code, older_than=older_than, newer_than=newer_than, settled=settled
    )
    with open_desk() as desk:
        letters, now = desk.letters.list(which, limit), desk.ledger.now()
    if json:
        rows = [letter.to_json() for letter in letters]
        print_json({"schema_version": SCHEMA_VERSION, "letters": rows})
    else:
        print_letters(letters, now)
    return ExitCode.OK


@dead.command("show")
def show(
    call: Annotated[str, typer.Argument(metavar="CALL", help="Its key.")],
    tools: ToolsIfAny = None,
    json: Json = False,
) -> int:
    """Show all that is known of a call, dead or not: every attempt, its result, its replays."""
    with open_desk() as desk:
        story = desk.letters.show(call)
        arguments = shown_arguments(story, desk.tool(story.tool, tools))
    if json:
        print_json({"schema_version": SCHEMA_VERSION, **story.to_json(arguments)})
    else:
        print_story(out(), story, arguments)
    return ExitCode.OK


@dead.command("replay")
def replay(  # noqa: PLR0913, PLR0917 -- each is one option of the command
    calls: Calls = None,
    tool: ToolName = None,
    code: Code = None,
    older_than: OlderThan = None,
    newer_than: NewerThan = None,
    limit: Limit = 100,
    twice: Twice = False,
    json: Json = False,
) -> int:
    """Repeat dead letters; the answers that the model was given stay."""
    which = LetterFilter(tool=tool, code=code, older_than=older_than, newer_than=newer_than)
    with open_desk() as desk:
        keys = chosen(desk.letters, calls, which, limit)
        replays = desk.letters.replay(keys, confirmed=frozenset(keys if twice else ()))
    return report_replays(replays, json=json)


@dead.command("discard")
def discard(  # noqa: PLR0913, PLR0917 -- each is one option of the command
    calls: Calls = None,
    tool: ToolName = None,
    code: Code = None,
    older_than: OlderThan = None,
    newer_than: NewerThan = None,
    limit: Limit = 100,
    json: Json = False,
) -> int:
    """Erase dead letters with their histories."""
    which = LetterFilter(tool=tool, code=code, older_than=older_than, newer_than=newer_than)
    with open_desk() as desk:
        discarded = desk.letters.discard(chosen(desk.letters, calls, which, limit))
    if json:
        print_json({"schema_version": SCHEMA_VERSION, "discarded": discarded})
    else:
        for key, was_letter in discarded.items():
            out().print(
                f"{key} {'is discarded' if was_letter else 'is no dead letter'}", markup=False
            )
    return ExitCode.OK if all(discarded.values()) else ExitCode.NOT_ALL_SUCCEEDED
