"""A person who looks at everything: `python -m tests.whole.canary.person`."""

from __future__ import annotations

import sys

from toolferry_console.main import run

#: What is looked at, and the call that is approved.
COMMANDS = (
    "status",
    "approvals list",
    "dead list",
    *(f"dead show {key}" for key in ("child:1", "loop:3", "pays:1")),
    "status --json",
    "approvals list --json",
    "dead list --json",
    *(f"dead show {key} --json" for key in ("loop:0", "child:1", "loop:3", "pays:1", "child:5")),
    "dead show cancelled:0 --json",
    "approvals approve gated:0",
    "dead show gated:0 --json",
    "events --after 0-1 --json",
    *(f"explain {key}" for key in ("loop:0", "child:1", "loop:3", "pays:1", "gated:0")),
    *(f"explain {key} --json" for key in ("loop:0", "child:1", "pays:1", "gated:0")),
    "audit seal",
    "audit verify --json",
    "doctor --json",
)

if __name__ == "__main__":
    for command in COMMANDS:
        sys.stdout.write(f"$ toolferry {command}\n")
        sys.stdout.flush()
        run(command.split())
