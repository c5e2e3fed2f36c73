"""Definitions in one line, and the codes that the linter finds in them."""

from __future__ import annotations

from typing import Any

from toolferry import Definition, lint, read_definition


def defined(description: str = "", **properties: Any) -> Definition:
    """Give a definition with a good name and these parameters."""
    schema = {"type": "object", "properties": properties}
    return Definition(name="orders_list", description=description, parameters=schema)


def codes(*definitions: Definition) -> list[str]:
    """Give the code of every finding, in order."""
    return [finding.code for finding in lint(definitions)]


def places(definition: Definition, code: str) -> list[str]:
    """Give where one rule found something."""
    return [finding.place for finding in lint([definition]) if finding.code == code]


def read(*data: Any) -> list[Definition]:
    """Read definitions from JSON data."""
    return [read_definition(one) for one in data]
