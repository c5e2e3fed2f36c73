"""The leash: lets a program end with the process that started it, even if that was killed.

`python -m toolferry_console.leash PARENT PROGRAM ARGUMENT…` asks the kernel to send SIGTERM to
this process when its parent has gone, then becomes the program. Only Linux can do that; elsewhere
it just becomes the program.

The kernel watches the thread that started us, not the process: it must live as long as we do.
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys
from collections.abc import Sequence
from typing import Final

#: `prctl` option: the signal that comes when the parent has gone. Source: prctl(2).
_PR_SET_PDEATHSIG: Final = 1


def on_leash(command: Sequence[str]) -> list[str]:
    """Give the command that runs another one on a leash of this process."""
    return [sys.executable, "-m", "toolferry_console.leash", str(os.getpid()), *command]


def main(arguments: Sequence[str]) -> None:
    """Put this process on the leash of its parent and become the program.

    Args:
        arguments: The parent's process id, then the program and its arguments.
    """
    parent, *command = arguments
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)
    if os.getppid() != int(parent):
        # It went before the kernel was asked.
        sys.exit(f"the process {parent} that started this program has gone")
    os.execv(command[0], command)  # noqa: S606 -- a list of our own, never a shell's


if __name__ == "__main__":
    main(sys.argv[1:])
