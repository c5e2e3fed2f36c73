"""`toolferry purge`: everything that is kept of a tenant or a conversation is erased."""

from __future__ import annotations

import sys
import time
from contextlib import closing
from typing import Annotated, Final

import typer
from rich.text import Text
from typer.exceptions import TyperException

from toolferry_console.exit_codes import ExitCode
from toolferry_console.options import Json
from toolferry_console.printing import err, out, print_json
from toolferry_ledger import (
    Bell,
    Canceller,
    Conversation,
    Ledger,
    Purged,
    Purger,
    Signer,
    Tenant,
    load_settings,
)

#: Seconds between two rounds while calls are being stopped.
_PAUSE: Final = 0.5


def purge(
    tenant: Annotated[
        str | None, typer.Option(metavar="NAME", help="Erase everything of this tenant.")
    ] = None,
    conversation: Annotated[
        str | None, typer.Option(metavar="ID", help="Erase everything of this conversation.")
    ] = None,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
    timeout: Annotated[
        float, typer.Option(metavar="S", min=0, help="Seconds to wait for calls that still run.")
    ] = 10.0,
    json: Json = False,
) -> int:
    """Cancel the open calls of a tenant or a conversation, and erase all that is kept of it."""
    whose = _whose(tenant, conversation)
    settings = load_settings()
    with closing(Ledger(settings)) as ledger, closing(Bell(settings)) as bell:
        ledger.check()
        if not yes:
            _confirm(f"{whose.words} in {settings.safe_url}, namespace {settings.namespace}")
        purger = Purger(ledger, Canceller(ledger, bell, Signer(settings.secret)))
        purged = _until_done(purger, whose, time.monotonic() + timeout)
    if json:
        print_json(purged.to_json())
    else:
        _print(purged)
    return ExitCode.OK if purged.is_complete else ExitCode.NOT_ALL_SUCCEEDED


def _whose(tenant: str | None, conversation: str | None) -> Tenant | Conversation:
    if bool(tenant) == bool(conversation):
        raise TyperException("Name either a tenant or a conversation: --tenant or --conversation")
    return Tenant(tenant) if tenant else Conversation(conversation or "")


def _confirm(what: str) -> None:
    """Ask whether all is to be erased.

    Raises:
        TyperException: Nobody can be asked, or the answer is no.
    """
    if sys.stdin is None or not sys.stdin.isatty():
        raise TyperException(f"To erase {what} without being asked, add --yes")
    if not typer.confirm(f"Erase {what}?", err=True):
        raise TyperException("Nothing was erased")


def _until_done(purger: Purger, whose: Tenant | Conversation, until: float) -> Purged:
    """Purge until nothing runs any more or the time is up; adds up what was done."""
    purged = purger.purge(whose)
    while not purged.is_complete and time.monotonic() < until:
        time.sleep(_PAUSE)  # workers hear of it within 2 s, and may be in another place
        purged = purged.followed_by(purger.purge(whose))
    return purged


def _print(purged: Purged) -> None:
    out().print(
        f"erased {purged.calls} calls and {purged.turns} turns; cancelled {purged.cancelled} calls"
    )
    if purged.held:
        out().print(f"{purged.held} calls keep their places in a line, without data, for a while")
    if not purged.is_complete:
        told = f"{purged.running} calls still run and were told to stop; purge again to erase them"
        err().print(Text(f"toolferry: {told}"), soft_wrap=True)
