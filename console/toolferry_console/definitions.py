"""Definitions from a file: as one list, as `toolferry tools --json` prints them, or one a line."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, Final

from toolferry import Definition, DefinitionMalformed, read_definition
from toolferry_console.errors import InputUnreadable
from toolferry_console.reading import read_text

#: Malformed definitions that are named one by one; the others are counted.
_MOST_NAMED: Final = 10

#: Where a definition stands, and what reads its data.
_Entry = tuple[str, Callable[[], Any]]


def read_definitions(source: str) -> list[Definition]:
    """Read the definitions of tools from a JSON or JSONL file, or from standard input (`-`).

    A JSON file holds one definition, a list of them, or an object with the list as `tools`. A
    JSONL file holds one a line; empty lines are passed over.

    Raises:
        InputUnreadable: There is no such file, it holds none, or some are malformed; names the
            lines.
    """
    name, text = read_text(source)
    definitions: list[Definition] = []
    faults: list[str] = []
    for where, data in _entries(name, text):
        try:
            definitions.append(read_definition(data()))
        except DefinitionMalformed as error:
            faults.append(f"{where}: {error.setting} {error.reason}")
    if faults:
        raise InputUnreadable(name, _sentence(faults))
    if not definitions:
        raise InputUnreadable(name, "holds no definitions of tools")
    return definitions


def _entries(name: str, text: str) -> Iterator[_Entry]:
    """Give where each definition stands, and what reads its data."""
    try:
        whole = json.loads(text)
    except (ValueError, RecursionError) as error:  # no JSON, or a number of too many digits
        lines = text.split("\n")
        if text.lstrip().startswith("[") or lines[0].strip() == "{":  # one document, on many lines
            raise InputUnreadable(name, f"is no JSON: {error}") from error
        for number, line in enumerate(lines, start=1):
            if line.strip():
                yield f"line {number}", partial(_parsed, line)
        return
    listed = whole.get("tools", whole) if isinstance(whole, dict) else whole
    many = listed if isinstance(listed, list) else [listed]
    for number, one in enumerate(many, start=1):
        yield f"definition {number}", partial(_itself, one)


def _itself(data: Any) -> Any:
    return data


def _parsed(line: str) -> Any:
    try:
        return json.loads(line)
    except json.JSONDecodeError as error:
        raise DefinitionMalformed("it", f"is no JSON: {error.msg}, column {error.colno}") from error
    except RecursionError as error:
        raise DefinitionMalformed("it", "is nested too deeply") from error
    except ValueError as error:
        reason = "holds a number of more digits than are read"
        raise DefinitionMalformed("it", reason) from error


def _sentence(faults: list[str]) -> str:
    more = len(faults) - _MOST_NAMED
    return "; ".join(faults[:_MOST_NAMED]) + (f"; and {more} more" if more > 0 else "")
