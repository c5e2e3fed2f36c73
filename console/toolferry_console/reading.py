"""What a command is given to read: a response, arguments, a context."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

from toolferry import ArgumentFault, Context
from toolferry.arguments import parse_value
from toolferry_console.errors import InputUnreadable
from toolferry_console.language import terminal_locale

#: The file name that means standard input.
STDIN = "-"


def read_json(source: str) -> Any:
    """Read JSON from a file, or from standard input when it is called `-`.

    Raises:
        InputUnreadable: There is no such file, or it holds no JSON; names the file and the line.
    """
    return json_of(*read_text(source))


def json_of(name: str, text: str) -> Any:
    """Read JSON from a text.

    Args:
        name: Where the text is from.
        text: What is read.

    Raises:
        InputUnreadable: It holds no JSON; names the place and the line.
    """
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        raise InputUnreadable(name, f"is no JSON: {error.msg} at {where}") from error
    except RecursionError as error:
        raise InputUnreadable(name, "is nested too deeply") from error
    except ValueError as error:  # the only other one
        raise InputUnreadable(name, "holds a number of more digits than are read") from error


def read_text(source: str) -> tuple[str, str]:
    """Read a text from a file, or from standard input when it is called `-`; with its name.

    Raises:
        InputUnreadable: There is no such file, or it holds no text; names the file.
    """
    name = _name_of(source)
    if source == STDIN and sys.stdin is None:
        raise InputUnreadable(name, "is closed")
    try:
        return name, sys.stdin.read() if source == STDIN else Path(source).read_text("utf-8-sig")
    except OSError as error:
        raise InputUnreadable(name, (error.strerror or str(error)).lower()) from error
    except UnicodeDecodeError as error:
        raise InputUnreadable(name, f"is no UTF-8 text (byte {error.start})") from error


def read_arguments(given: str) -> dict[str, Any]:
    """Read the arguments of one call: JSON text, `@FILE`, or `-` for standard input.

    Raises:
        InputUnreadable: They are not one JSON object; says what is wrong and where.
    """
    source = given if given == STDIN else given.removeprefix("@")
    is_elsewhere = given == STDIN or given.startswith("@")
    _, text = read_text(source) if is_elsewhere else ("", given)
    name = _name_of(source) if is_elsewhere else "--arguments"
    try:
        data = parse_value(text)
    except ArgumentFault as fault:
        sentence = fault.message[0].lower() + fault.message[1:].rstrip(".")
        raise InputUnreadable(name, sentence) from fault
    if not isinstance(data, dict):
        raise InputUnreadable(name, 'must be one JSON object such as {"path": "a.txt"}')
    return data


def _name_of(source: str) -> str:
    return "standard input" if source == STDIN else source


def read_context(source: str | None) -> Context:
    """Read the trusted identity from a JSON file; the default identity when none is named.

    Where the file names no locale, it is the terminal's: the person there is the one who watches.

    Raises:
        InputUnreadable: The file cannot be read or does not hold a context; names the key.
    """
    if source is None:
        return Context(locale=terminal_locale(os.environ))
    data = read_json(source)
    if not isinstance(data, dict):
        raise InputUnreadable(source, "a context is a JSON object")
    try:
        return Context.from_json({"locale": terminal_locale(os.environ), **data})
    except ValueError as error:
        raise InputUnreadable(source, str(error)) from error
