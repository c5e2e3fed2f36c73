"""The `toolferry` program: runs a command, and turns what went wrong into one line."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from toolferry import ToolferryError
from toolferry_console.exit_codes import ExitCode

#: What the program needs besides the base install, and the extra that brings it.
_EXTRAS = {"typer": "cli", "rich": "cli", "celery": "worker", "watchfiles": "reload"}
#: As a shell reports a program that was stopped with Ctrl-C.
_INTERRUPTED = 130


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the program and leave with its exit code; see `ExitCode`.

    Args:
        arguments: What was typed after the program's name; that of this process when None.
    """
    sys.exit(run(sys.argv[1:] if arguments is None else arguments))


def run(arguments: Sequence[str]) -> int:
    """Run one command and give its exit code; errors of people are one line on stderr."""
    try:
        from toolferry_console.app import execute  # noqa: PLC0415 -- without its extra it says so

        return execute(arguments)
    except ModuleNotFoundError as error:
        if error.name not in _EXTRAS:
            raise
        return _refuse(f"needs {error.name}: pip install 'toolferry[{_EXTRAS[error.name]}]'")
    except ToolferryError as error:
        return _refuse(str(error))
    except KeyboardInterrupt:
        return _INTERRUPTED


def _refuse(sentence: str) -> int:
    print(f"toolferry: {' '.join(sentence.split())}", file=sys.stderr)  # noqa: T201 -- to people
    return ExitCode.BAD_INPUT


if __name__ == "__main__":
    main()
