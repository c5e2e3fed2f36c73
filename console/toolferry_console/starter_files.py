"""The starter: the small project that `toolferry init` writes. Its files lie in `starter`."""

from __future__ import annotations

import os
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path
from types import MappingProxyType
from typing import Final

from toolferry_console.errors import FolderOccupied, InputUnreadable

#: Each file by the name that it has in the project, and the name of its source; a source called
#: `.gitignore` would work where it lies.
STARTER: Final[Mapping[str, str]] = MappingProxyType(
    {
        "README.md": "README.md",
        "pyproject.toml": "pyproject.toml",
        ".gitignore": "gitignore",
        "notes_tools.py": "notes_tools.py",
        "test_notes_tools.py": "test_notes_tools.py",
        "context.json": "context.json",
        "response.json": "response.json",
    }
)


def write_starter(folder: Path) -> list[Path]:
    """Write the starter into a folder, which is made when it is not there; give its files.

    Raises:
        FolderOccupied: A file of that name is there; then nothing was written.
        InputUnreadable: The folder or a file in it cannot be written.
    """
    texts = {folder / name: _source(source) for name, source in STARTER.items()}
    taken = [path for path in texts if os.path.lexists(path)]
    if taken:
        raise FolderOccupied(taken)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for path, text in texts.items():
            with path.open("x", encoding="utf-8") as file:
                file.write(text)
    except OSError as error:
        reason = f"cannot be written: {(error.strerror or str(error)).lower()}"
        raise InputUnreadable(str(error.filename or folder), reason) from error
    return list(texts)


def _source(name: str) -> str:
    return (files("toolferry_console") / "starter" / name).read_text("utf-8")
