"""What the adapters of all APIs share: their tools written for a request, with a report."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, Final

from toolferry import Tool
from toolferry_dispatcher.providers.dialect import Dialect
from toolferry_dispatcher.providers.examples import ExamplePlace
from toolferry_dispatcher.providers.exporting import Export, exported
from toolferry_dispatcher.providers.names import wire_name
from toolferry_dispatcher.providers.same_names import refuse_same_names
from toolferry_dispatcher.providers.schemas import Spelling, Strictness, WireTool, wire_tools
from toolferry_dispatcher.providers.spelling_of import spelling_of

_NO_DIFFERENCES: Final = Dialect()


class WireProvider(ABC):
    """A provider whose tools go over a wire that has rules for their names and schemas.

    An adapter says how it writes tools, and what of the rest is not as most APIs have it.
    """

    @property
    @abstractmethod
    def name(self) -> str:
        """What an application asks for it by."""

    @property
    def base(self) -> str:
        """The name of the provider whose format it speaks: its own when the format is its own."""
        return self.name

    @property
    def dialect(self) -> Dialect:
        """In what its server differs from the API whose format it is: in nothing, mostly."""
        return _NO_DIFFERENCES

    @property
    def spelling(self) -> Spelling:
        """How it wants schemas, as far as its server holds models to them."""
        return spelling_of(self.name, self.base, self.dialect.strict)

    def wire_name(self, name: str) -> str:
        """Give the name by which a tool goes on this wire; depends on the name alone."""
        return wire_name(name)

    def tools(
        self, tools: Sequence[Tool], examples: ExamplePlace = ExamplePlace.NATIVE
    ) -> list[dict[str, Any]]:
        """Give what goes under `tools` into a request.

        Raises:
            ToolInvalid: Two of the tools would go by one name on the wire.
        """
        return self.export(tools, examples=examples).tools

    def export(
        self,
        tools: Sequence[Tool],
        strictness: Strictness = Strictness.NEVER,
        examples: ExamplePlace = ExamplePlace.NATIVE,
    ) -> Export:
        """Give what goes under `tools` into a request, and what got lost; see `export_tools`."""
        refuse_same_names(tools, self.wire_name)
        spelling = self.spelling
        wired = wire_tools(spelling, tools, strictness, examples)
        return exported(self.name, wired, self._written(wired), spelling.request)

    @abstractmethod
    def _written(self, tools: Sequence[WireTool]) -> list[dict[str, Any]]:
        """Write tools in the form of the API."""
