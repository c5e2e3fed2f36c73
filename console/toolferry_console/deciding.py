"""The desk at which people decide about calls: who sits there, and what comes of it."""

from __future__ import annotations

import getpass
import os
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from typing import Final

from rich.text import Text
from typer.exceptions import TyperException

from toolferry import SCHEMA_VERSION
from toolferry.legible import one_line
from toolferry_console.exit_codes import ExitCode
from toolferry_console.jury import operators_jury
from toolferry_console.printing import err, out, print_json
from toolferry_ledger import (
    TOKEN,
    Approvals,
    Bell,
    CallUnknown,
    Catalog,
    Decision,
    DecisionRefused,
    Ledger,
    Signer,
    load_settings,
    read_token,
)
from toolferry_policies import Approver

#: Characters of a call's name that are shown.
_MAX_NAME: Final = 200


@dataclass(frozen=True, slots=True)
class Desk:
    """What the commands about approvals work with."""

    approvals: Approvals
    ledger: Ledger
    signer: Signer

    def person(self) -> Approver:
        """Tell who decides: whose token is in the environment, else the user of this machine.

        Raises:
            ConfigurationError: The token is none of this system, or has ended.
            TyperException: There is no token, and the server is not the one of this folder.
        """
        token = os.environ.get(TOKEN)
        if token:
            return read_token(self.signer, token, self.ledger.now())
        if os.environ.get("TOOLFERRY_URL"):
            raise TyperException(
                "Who decides about calls on a server that others use has to show a token: set"
                f" {TOKEN} to what toolferry token create NAME prints"
            )
        return Approver(_user())


@contextmanager
def open_desk(tools: str | None) -> Iterator[Desk]:
    """Open the approvals of the system that the environment names.

    Args:
        tools: The modules that define the tools; None for what live workers offer.
    """
    settings = load_settings()
    signer = Signer(settings.secret)
    with closing(Ledger(settings)) as ledger, closing(Bell(settings)) as bell:
        ledger.check()
        jury = operators_jury(Catalog(ledger, signer), tools)
        yield Desk(Approvals(ledger, bell, signer, jury), ledger, signer)


def decide(
    call: str, tools: str | None, choose: Callable[[Approvals, Approver], Decision], *, json: bool
) -> ExitCode:
    """Have the person at the desk decide about a call, and print what came of it."""
    decision, refusal = None, ""
    with open_desk(tools) as desk:
        person = desk.person()
        try:
            decision = choose(desk.approvals, person)
        except (DecisionRefused, CallUnknown) as error:
            refusal = error.reason
    if json:
        told = decision.to_json() if decision else None
        found = {"call": call, "decision": told, "refusal": refusal or None}
        print_json({"schema_version": SCHEMA_VERSION, **found})
    elif decision is None:
        line = f"toolferry: call {one_line(call, _MAX_NAME)}: refused: {refusal}"
        err().print(Text(line), soft_wrap=True)
    else:
        out().print(Text(f"{one_line(call, _MAX_NAME)} is {decision}"), soft_wrap=True)
    return ExitCode.OK if decision else ExitCode.NOT_ALL_SUCCEEDED


def _user() -> str:
    """Name the user of this machine.

    Raises:
        TyperException: The machine does not know its user.
    """
    try:
        return getpass.getuser()
    except (OSError, KeyError, ImportError) as error:
        raise TyperException(f"This machine does not know who you are: set {TOKEN}") from error
