"""The docstring of a handler: what it tells the model about the tool and its parameters."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

_SECTION: Final = re.compile(r"^(Args|Arguments|Parameters):\s*$")
_ENTRY: Final = re.compile(r"^\*{0,2}(?P<name>\w+)\s*(\([^)]*\))?\s*:\s*(?P<text>.*)$")


@dataclass(frozen=True, slots=True)
class Docstring:
    """The parts of a docstring that a model reads."""

    #: The first paragraph as one line; empty when there is none.
    summary: str
    #: What the `Args:` section says of each parameter, as one line.
    parameters: Mapping[str, str]


def read_docstring(text: str | None) -> Docstring:
    r"""Read a docstring in Google style.

    >>> doc = read_docstring("Read a file.\n\nArgs:\n    path: Where it\n        lies.")
    >>> doc.summary, dict(doc.parameters)
    ('Read a file.', {'path': 'Where it lies.'})
    """
    lines = inspect.cleandoc(text or "").splitlines()
    return Docstring(summary=_first_paragraph(lines), parameters=_entries(_section(lines)))


def _first_paragraph(lines: Iterable[str]) -> str:
    words: list[str] = []
    for line in lines:
        if not line.strip() or _SECTION.match(line):
            break
        words.append(line.strip())
    return " ".join(words)


def _section(lines: Iterable[str]) -> list[str]:
    """Give the indented lines under `Args:`, without the indent that they share."""
    inside: list[str] | None = None
    for line in lines:
        if _SECTION.match(line):
            inside = []
        elif inside is not None and line.strip() and not line[0].isspace():
            break
        elif inside is not None and line.strip():
            inside.append(line)
    return inspect.cleandoc("\n" + "\n".join(inside or ())).splitlines()


def _entries(lines: Iterable[str]) -> dict[str, str]:
    entries: dict[str, list[str]] = {}
    words: list[str] = []
    for line in lines:
        entry = None if line[0].isspace() else _ENTRY.match(line)
        if entry:
            words = entries.setdefault(entry["name"], [])
        words.append(entry["text"].strip() if entry else line.strip())
    return {name: " ".join(filter(None, words)) for name, words in entries.items()}
