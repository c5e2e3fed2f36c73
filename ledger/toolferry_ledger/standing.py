"""Standing approvals: people allow calls that are still to come, take that back, and see it.

An allowance is a signed record; how many uses of it are left stands beside it and is counted by the
script that approves. It ends by itself, and what names it does too.
"""

from __future__ import annotations

import uuid
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, Final

from toolferry import Context, Tool, ToolferryError
from toolferry.legible import one_line
from toolferry_ledger.allowance_records import (
    StandingApproval,
    read_allowance,
    write_allowance,
)
from toolferry_ledger.cancelling import phrase
from toolferry_ledger.connection import server_errors
from toolferry_ledger.editing import Jury
from toolferry_ledger.json_text import read_json, write_json
from toolferry_ledger.ledger import Ledger
from toolferry_ledger.logs import get_log
from toolferry_ledger.records import Allowed
from toolferry_ledger.signing import Signer
from toolferry_ledger.tokens import MAX_NAME
from toolferry_policies import Allowance, Approver, refuse_to_allow, refuse_to_decide

log = get_log(__name__)

#: Allowances for one tool and principal at the most: all of them are read for a call.
MAX_EACH: Final = 100
#: Records that are read together.
_BATCH: Final = 200


class AllowanceRefused(ToolferryError):
    """A standing approval was not given, or not taken back; nothing has changed."""

    def __init__(self, name: str, reason: str) -> None:
        super().__init__(name, reason)
        #: Of the tool, or of the standing approval.
        self.name = name
        #: Why, one sentence without its full stop.
        self.reason = reason

    def __str__(self) -> str:
        return f"standing approval {self.name}: {self.reason}"


class StandingApprovals:
    """The standing approvals of a system; works also when every worker is dead.

    All methods raise `LedgerUnavailable` when the server does not answer.

    Args:
        ledger: The records.
        signer: Signs them, and tells genuine ones.
        jury: Knows the tools, and what operators declare about them.
    """

    def __init__(self, ledger: Ledger, signer: Signer, jury: Jury) -> None:
        self._ledger = ledger
        self._signer = signer
        self._jury = jury

    def allow(  # noqa: PLR0913 -- each says another thing about which calls are meant
        self,
        tool: str,
        who: Approver,
        *,
        principal: str,
        pinned: Mapping[str, Any],
        free: Collection[str] = (),
        uses: int,
        lasts: float,
        tenant: str = Context().tenant,
        note: str = "",
    ) -> StandingApproval:
        """Approve calls that are still to come, in advance.

        Args:
            tool: The name of their tool, which has to be known here.
            who: Who says so; the terms of the tool are the same as for deciding about one call.
            principal: On whose behalf they are made.
            pinned: What arguments have to be, by name. One that is neither here nor in `free` has
                to be at its default, or absent.
            free: The names of arguments that may be anything that the checks permit.
            uses: How many calls, 1 to 10,000.
            lasts: Seconds for which it counts, above 0 to 30 days.
            tenant: Whose data they touch.
            note: One sentence that is kept; of a longer text 500 characters.

        Raises:
            AllowanceRefused: The person may not, the tool is not known here, or the arguments are
                not all spoken about; says which.
        """
        known = self._tool(tool)
        now = self._ledger.now()
        one = Allowance(
            id=uuid.uuid4().hex[:12],
            tool=known.name,
            tool_version=known.version,
            principal=principal,
            tenant=tenant,
            pinned=_as_data(tool, pinned),
            free=frozenset(free),
            who=_named(tool, who),
            at=now,
            until=now + lasts,
            uses=uses,
            note=phrase(note),
        )
        _require(tool, refuse_to_allow(one, known))
        text, signature = write_allowance(self._signer, one)
        whose = _name_of(one.tool, one.tenant, one.principal)
        allowed = Allowed(one.id, whose, text, signature, uses, one.until, one.tool)
        if self._ledger.allow(allowed, MAX_EACH) == "full":
            raise AllowanceRefused(
                tool, f"there are {MAX_EACH} for this tool and principal: revoke some first"
            )
        log.info("approval.allowed", allowance=one.id, tool=one.tool, who=who.name, uses=uses)
        return StandingApproval(one, uses)

    def revoke(self, name: str, who: Approver) -> None:
        """Take a standing approval back: no call is answered by it from now on.

        Args:
            name: Its id.
            who: Who says so: whoever may decide about calls of its tool, and who gave it; anybody
                when nobody here knows the tool.

        Raises:
            AllowanceRefused: The person may not, or there is none of that name any more.
        """
        found = next(self._read([name]), None)
        if found is None:
            raise _none(name)
        one = found.allowance
        tool = self._effective(one.tool)
        is_own = who.name == one.who.name and who.verified >= one.who.verified
        if tool is not None and not is_own:
            _require(name, refuse_to_decide(who, tool.approval))
        said = {"id": one.id, "who": _named(name, who).name, "verified": who.verified}
        if not self._ledger.revoke(one.id, write_json(said)):
            raise _none(name)
        log.info("approval.revoked", allowance=one.id, tool=one.tool, who=who.name)

    def current(self) -> tuple[StandingApproval, ...]:
        """Give those that count, the ones that end first before the others.

        A record that cannot be believed is left out, and told in the log.
        """
        with server_errors(self._ledger.settings):
            names: Any = self._ledger.client.zrange(self._key("allowances"), 0, -1)
        keys = [name.decode(errors="replace") for name in names]
        batches = (keys[at : at + _BATCH] for at in range(0, len(keys), _BATCH))
        return tuple(one for batch in batches for one in self._read(batch))

    def find(self, tools: Collection[str], context: Context) -> dict[str, list[Allowance]]:
        """Give what may answer calls of some tools: a round trip, and one more if there is any.

        Args:
            tools: The names of the tools.
            context: Of the calls.
        """
        whose = [_name_of(tool, context.tenant, context.principal) for tool in sorted(tools)]
        settings = self._ledger.settings
        with server_errors(settings), self._ledger.client.pipeline(transaction=False) as pipe:
            for name in whose:
                pipe.zrange(self._key(f"allowed:{name}"), 0, -1)
            rows = pipe.execute()
        names = [name.decode(errors="replace") for row in rows for name in row]
        found: dict[str, list[Allowance]] = {}
        for one in self._read(names):
            found.setdefault(one.allowance.tool, []).append(one.allowance)
        return found

    def _read(self, names: Sequence[str]) -> Iterator[StandingApproval]:
        if not names:
            return
        settings = self._ledger.settings
        with server_errors(settings), self._ledger.client.pipeline(transaction=False) as pipe:
            for name in names:
                pipe.hmget(self._key(f"allowance:{name}"), ["text", "sig", "left"])
            rows = pipe.execute()
        for name, (text, signature, left) in zip(names, rows, strict=True):
            if text is None:
                continue
            found = read_allowance(self._signer, name, text, signature or b"", left or b"0")
            if found is None:
                log.error("allowance.untrusted", allowance=name)
            else:
                yield found

    def _tool(self, name: str) -> Tool:
        tool = self._effective(name)
        if tool is None:
            raise AllowanceRefused(
                one_line(name, MAX_NAME),
                "the tool is not known here: start a worker that has it, or name its module",
            )
        return tool

    def _effective(self, name: str) -> Tool | None:
        tool = self._jury.find(name)
        return None if tool is None else self._jury.policies.current().tool(tool)

    def _key(self, name: str) -> str:
        return f"{self._ledger.settings.key_prefix}{name}"


def _none(name: str) -> AllowanceRefused:
    return AllowanceRefused(
        one_line(name, MAX_NAME), "there is none: it has ended, was revoked, or never was"
    )


def _require(name: str, refusal: str) -> None:
    if refusal:
        raise AllowanceRefused(name, refusal)


def _named(name: str, who: Approver) -> Approver:
    told = one_line(who.name, MAX_NAME).strip()
    if not told or told != who.name:
        raise AllowanceRefused(
            name, "the name of who decides must be legible, on one line, and not empty"
        )
    return who


def _as_data(tool: str, pinned: Mapping[str, Any]) -> dict[str, Any]:
    """Give arguments as they will be read again."""
    try:
        data: dict[str, Any] = read_json(write_json(dict(pinned)))
    except (ValueError, TypeError, RecursionError) as error:
        raise AllowanceRefused(tool, "the pinned arguments are no JSON data") from error
    return data


def _name_of(tool: str, tenant: str, principal: str) -> str:
    """Name whose calls are meant so that no two have the same name, whatever colons they use."""
    parts = (f"{len(part.encode(errors='replace'))}:{part}" for part in (tool, tenant, principal))
    return ":".join(parts).encode(errors="replace").decode()
