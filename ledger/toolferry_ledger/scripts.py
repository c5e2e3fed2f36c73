"""The Lua scripts: every change of a call's state is one of these, atomic in the server."""

from __future__ import annotations

from importlib.resources import files
from typing import Final

from toolferry import OPEN_STATES, TRANSITIONS

#: The scripts by name; each file's head says what it does and what it takes.
SCRIPT_NAMES: Final = (
    "attach",
    "beat",
    "claim",
    "due",
    "leave",
    "look",
    "progress",
    "settle",
    "submit",
    "sweep",
)


def transition_table() -> str:
    """Render the contract's table of transitions as Lua, so that there is only one."""
    rows = (
        f"{state.value} = {{{', '.join(f'{target.value} = true' for target in sorted(targets))}}}"
        for state, targets in TRANSITIONS.items()
    )
    opens = ", ".join(f"{state.value} = true" for state in sorted(OPEN_STATES))
    return f"local ALLOWED = {{{', '.join(rows)}}}\nlocal OPEN = {{{opens}}}\n"


def script_source(name: str) -> str:
    """Assemble one script: its engine line, tables if it asks, the common part, itself."""
    folder = files(__package__) / "scripts"
    body = (folder / f"{name}.lua").read_text(encoding="utf-8")
    shebang, rest = "", body
    if body.startswith("#!"):
        shebang, _, rest = body.partition("\n")
        shebang += "\n"
    common = (folder / "common.lua").read_text(encoding="utf-8")
    tables = transition_table() if "ALLOWED" in rest else ""
    return shebang + tables + common + rest
