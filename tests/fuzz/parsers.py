"""Everything that reads what a model or its provider sent, as functions of bytes."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Final

from toolferry import Registry, Repairs, Tool, ToolferryError, parse_arguments
from toolferry.repairing import fit_arguments, read_object, read_text
from toolferry_dispatcher.looking import look
from toolferry_dispatcher.providers import Provider, assemble, base_providers, detect

#: A tool whose schema asks for every kind of repair.
TOOL: Final = Tool(
    name="sample",
    parameters={
        "type": "object",
        "properties": {
            "id": {"type": "integer"},
            "ratio": {"type": "number"},
            "on": {"type": ["boolean", "null"]},
            "level": {"enum": [1, 2, True, "a"]},
            "list": {"type": "array", "items": {"type": "integer"}},
            "Content-Type": {"type": "string"},
            "inner": {"$ref": "#"},
            "any": {"anyOf": [{"type": "object"}, {"type": "array"}]},
        },
        "additionalProperties": False,
    },
)
REGISTRY: Final = Registry()
REGISTRY.declare(TOOL)

#: Reads some bytes; raises nothing but the project's own errors.
Parser = Callable[[bytes], object]


def _arguments(data: bytes) -> object:
    return parse_arguments(data)


def _repaired(data: bytes) -> object:
    read = read_text(data.decode(errors="replace"))
    return read_object(data.decode(errors="replace")), read_text(data), read


def _fitted(data: bytes) -> object:
    return fit_arguments(TOOL, read_text(data).arguments, Repairs.ALL)


def _response_of(provider: Provider) -> Parser:
    def read(data: bytes) -> object:
        return look(data, provider, REGISTRY).to_json()

    return read


def _stream_of(provider: Provider) -> Parser:
    def read(data: bytes) -> object:
        chunks: Any = data
        try:
            chunks = json.loads(data)
        except (ValueError, RecursionError):
            chunks = data
        whole = chunks if isinstance(chunks, list) else data
        return look(assemble(provider, whole), provider, REGISTRY).to_json()

    return read


def _parsers() -> dict[str, Parser]:
    parsers: dict[str, Parser] = {
        "arguments": _arguments,
        "repaired": _repaired,
        "fitted": _fitted,
        "detect": detect,
    }
    for one in base_providers():
        parsers[one.name] = _response_of(one)
        if hasattr(one, "assembler"):
            parsers[f"{one.name} stream"] = _stream_of(one)
    return parsers


#: By name.
PARSERS: Final[Mapping[str, Parser]] = MappingProxyType(_parsers())


def parse(parser: Parser, data: bytes) -> None:
    """Read some bytes; errors of the project are what is expected of bad ones.

    Raises:
        Exception: Anything else that a parser raised.
    """
    try:
        parser(data)
    except ToolferryError:
        return
