"""`toolferry init`: a small project to begin with."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.text import Text

from toolferry_console.printing import out
from toolferry_console.starter_files import write_starter


def init(
    folder: Annotated[
        Path, typer.Argument(metavar="[FOLDER]", help="Where; this folder if not given.")
    ] = Path(),
) -> None:
    """Write a project with two tools, a test and a README; no file is ever overwritten."""
    screen = out()
    for path in write_starter(folder):
        screen.print(Text(f"wrote {path}"), soft_wrap=True)
    screen.print(
        Text(f"next: {folder / 'README.md'} says how to test, start and call it"), soft_wrap=True
    )
