"""Definitions as the ledger keeps them: the tools of a worker, as one signed text.

All who offer the same tools share one text, which is called by its hash. It is signed, because a
dispatcher that has no tools of its own judges calls by what stands there: whoever can write to the
server must not be able to take a permission out of a tool, or to put words into its description.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

from toolferry import (
    NO_EXTENSIONS,
    SCHEMA_VERSION,
    Extensions,
    Tool,
    ToolInvalid,
    tool_from_json,
    tool_to_json,
)
from toolferry.deciders import deciders_of
from toolferry_ledger.json_text import read_json, write_json
from toolferry_ledger.logs import get_log
from toolferry_ledger.signing import Signer, Untrusted

log = get_log(__name__)

#: Put before what is signed, so that no other record of the system can stand for definitions.
_PURPOSE: Final = b"definitions:"
#: Characters of the signature at the front of the text.
_SIGNATURE: Final = 64
#: Hex digits of an id.
_ID: Final = 32


@dataclass(frozen=True)
class Definitions:
    """The definitions of some tools, ready to be kept."""

    #: The signature in hex, then the JSON text.
    text: bytes

    @cached_property
    def id(self) -> str:
        """What the text is called by: equal for the same definitions only."""
        return hashlib.sha256(self.text).hexdigest()[:_ID]


def write_definitions(
    tools: Iterable[Tool], signer: Signer, extensions: Extensions = NO_EXTENSIONS
) -> Definitions:
    """Write the definitions of tools down, in the order of their names, and sign them.

    Args:
        tools: The tools.
        signer: Signs.
        extensions: What stands beside their code: of each tool it is said who decides about it.
    """
    data = [_data(tool, extensions) for tool in sorted(tools, key=lambda tool: tool.name)]
    text = write_json({"schema_version": SCHEMA_VERSION, "tools": data})
    return Definitions(signer.sign(_PURPOSE + text).encode() + text)


def read_definitions(text: bytes, signer: Signer) -> Mapping[str, Tool]:
    """Read definitions of this release or of a newer one, by the tools' names.

    A tool that cannot be read is left out, and told in the log. Schemas are not checked again,
    which takes ten times as long as all the rest: whoever signed them has checked them, and a
    call that cannot be judged is denied.

    Raises:
        Untrusted: They are unsigned, were changed, or signed with another secret.
    """
    signature, data = text[:_SIGNATURE], text[_SIGNATURE:]
    if not signer.verify(_PURPOSE + data, signature.decode("ascii", "replace")):
        raise Untrusted("definitions in the catalog are not signed with this system's secret")
    return {tool.name: tool for tool in _readable(read_json(data)["tools"])}


def _data(tool: Tool, extensions: Extensions) -> dict[str, object]:
    return tool_to_json(replace(tool, deciders=tool.deciders | deciders_of(extensions, tool.name)))


def _readable(definitions: Iterable[Mapping[str, object]]) -> Iterator[Tool]:
    for definition in definitions:
        try:
            yield tool_from_json(definition)
        except ToolInvalid as error:
            log.warning("catalog.unreadable", reason=str(error))
