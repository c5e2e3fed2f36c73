"""The Lua scripts: every change of a call's state is one of these, atomic in the server."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha1
from importlib.resources import files
from typing import Any, Final, Self

from toolferry import OPEN_STATES, TRANSITIONS
from toolferry_ledger.audit.setting import AuditSetting
from toolferry_ledger.keeping import Keeping

#: The scripts by name; each file's head says what it does and what it takes.
SCRIPT_NAMES: Final = (
    "allow",
    "answer",
    "approve",
    "attach",
    "beat",
    "claim",
    "due",
    "erase",
    "leave",
    "look",
    "progress",
    "records",
    "revoke",
    "seal",
    "settle",
    "submit",
    "sweep",
    "withdraw",
)

_NO_AUDIT: Final = "local AUDIT = false\n"


@dataclass(frozen=True, slots=True)
class Script:
    """One script as the server runs it, by its digest.

    redis-py has the like; its five calls on the way to the server take 15 µs, three times a turn.
    """

    text: str
    digest: str

    @classmethod
    def of(cls, text: str) -> Self:
        """Give a script with its digest, which is the server's name for it."""
        return cls(text, sha1(text.encode(), usedforsecurity=False).hexdigest())

    def command(self, keys: Sequence[str], args: Sequence[bytes | str | int]) -> tuple[Any, ...]:
        """Give the command that runs it; the server may not know it (yet, or any more)."""
        return ("EVALSHA", self.digest, len(keys), *keys, *args)


def transition_table() -> str:
    """Render the contract's table of transitions as Lua, so that there is only one.

    It is one text: a table would be built anew at every run of a script.
    """
    steps = (
        f"{state.value}>{target.value}"
        for state, targets in TRANSITIONS.items()
        for target in sorted(targets)
    )
    opens = ", ".join(f"{state.value} = true" for state in sorted(OPEN_STATES))
    return f"local ALLOWED = ' {' '.join(steps)} '\nlocal OPEN = {{{opens}}}\n"


def script_source(name: str, keeping: Keeping, audit: AuditSetting | None = None) -> str:
    """Assemble one script: engine line, numbers, tables if it asks, the common parts, itself.

    Args:
        name: One of `SCRIPT_NAMES`.
        keeping: The times that this system lives by.
        audit: Whether the script tells the audit what it does; without it, it costs nothing.
    """
    folder = files(__package__) / "scripts"
    body = (folder / f"{name}.lua").read_text(encoding="utf-8")
    shebang, rest = "", body
    if body.startswith("#!"):
        shebang, _, rest = body.partition("\n")
        shebang += "\n"
    common = (folder / "common.lua").read_text(encoding="utf-8")
    if "AUDIT" in rest:
        on = audit is not None
        common += (folder / "audit.lua").read_text(encoding="utf-8") if on else _NO_AUDIT
    if "let_go(" in rest:
        common += (folder / "ending.lua").read_text(encoding="utf-8")
    if "_pace" in rest:
        common += (folder / "pacing.lua").read_text(encoding="utf-8")
    if "charge_call(" in rest:
        common += (folder / "charging.lua").read_text(encoding="utf-8")
    tables = transition_table() if "ALLOWED" in rest or "OPEN" in rest else ""
    return shebang + keeping.to_lua() + tables + common + rest
