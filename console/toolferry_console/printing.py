"""Where the commands print: results to stdout, everything else to stderr."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Mapping
from typing import Any

from rich.console import Console

from toolferry.legible import legible


def out() -> Console:
    """Give the console of what was asked for."""
    _write_anything(sys.stdout)
    return Console(highlight=False)


def err() -> Console:
    """Give the console of what is said meanwhile."""
    _write_anything(sys.stderr)
    return Console(stderr=True, highlight=False)


def _write_anything(stream: object) -> None:
    """Let a terminal that has no sign for a character show another one: results hold any."""
    if isinstance(stream, io.TextIOWrapper):
        stream.reconfigure(errors="replace")


def print_content(text: str) -> None:
    """Print what a tool gave on stdout: as it is into a file, fit to be seen on a terminal."""
    print(legible(text) if out().is_terminal else text, flush=True)  # noqa: T201 -- as it is


def print_json(data: Mapping[str, Any]) -> None:
    """Print one JSON object as one line on stdout."""
    json.dump(data, sys.stdout, ensure_ascii=False)
    sys.stdout.write("\n")
    sys.stdout.flush()
