"""The tools of a request as one provider takes them, with a report of what got lost."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Protocol, runtime_checkable

from toolferry import Tool, ToolInvalid
from toolferry_dispatcher.providers.catalog import provider as provider_of
from toolferry_dispatcher.providers.examples import ExamplePlace, example_place
from toolferry_dispatcher.providers.protocol import Provider
from toolferry_dispatcher.providers.schemas import Loss, Strictness, WireTool, strictness_of


@dataclass(frozen=True, slots=True)
class Export:
    """What a provider is told of tools."""

    #: The name of the provider.
    provider: str
    #: What goes under `tools` into a request.
    tools: list[dict[str, Any]]
    #: What the schemas on the wire do not say as the tools' own do; those are enforced all the
    #: same.
    losses: tuple[Loss, ...] = ()
    #: The names of the tools that the provider holds the model to.
    strict: frozenset[str] = frozenset()
    #: What the request needs beside its tools for them to be strict.
    request: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))


@runtime_checkable
class ExportingProvider(Protocol):
    """A provider that writes schemas in its own way, and may have a strict mode."""

    def export(
        self,
        tools: Sequence[Tool],
        strictness: Strictness = Strictness.NEVER,
        examples: ExamplePlace = ExamplePlace.NATIVE,
    ) -> Export:
        """Give what goes under `tools` into a request, and what got lost on the way.

        Raises:
            ToolInvalid: Two of the tools would go by one name on the wire, one has a schema that
                cannot be said, or strict is demanded of one that cannot be.
        """


def export_tools(
    provider: str | Provider,
    tools: Sequence[Tool],
    strictness: str = Strictness.NEVER,
    examples: str = ExamplePlace.NATIVE,
) -> Export:
    """Give tools as a provider takes them, and report what their schemas lost on the way.

    The tools' own schemas never change, and are the ones that calls are judged by.

    Args:
        provider: A provider, or its name or alias.
        tools: What the model may call.
        strictness: Whether the provider shall hold the model to the schemas, a `Strictness`.
        examples: Where the examples of the tools go, an `ExamplePlace`.

    Raises:
        ConfigurationError: There is no provider of that name, no such strictness or place.
        ToolInvalid: Two of the tools would go by one name on the wire, one has a schema that
            cannot be said, or strict is demanded of one that cannot be; names the place.

    >>> forecast = Tool(name="forecast", parameters={"properties": {"city": {"type": "string"}}})
    >>> export = export_tools("openai-chat", [forecast], Strictness.WHERE_POSSIBLE)
    >>> export.tools[0]["function"]["parameters"]["required"]
    ['city']
    >>> [loss.detail for loss in export.losses]
    ['false: only the named members', 'null stands for leaving it out']
    """
    found = provider_of(provider) if isinstance(provider, str) else provider
    wanted, place = strictness_of(strictness), example_place(examples)
    if isinstance(found, ExportingProvider):
        return found.export(tools, wanted, place)
    if wanted is Strictness.DEMANDED and tools:
        raise ToolInvalid(tools[0].name, f"strict is demanded, and {found.name} has none")
    return Export(found.name, found.tools(tools, place))


def exported(
    provider: str,
    tools: Sequence[WireTool],
    written: list[dict[str, Any]],
    request: Mapping[str, Any] = MappingProxyType({}),
) -> Export:
    """Put an export together.

    Args:
        provider: The name of the provider.
        tools: The tools with their wire copies.
        written: The same in the provider's form.
        request: What the request needs beside its tools when one of them is strict.
    """
    strict = frozenset(one.tool.name for one in tools if one.strict)
    losses = tuple(loss for one in tools for loss in one.losses)
    return Export(provider, written, losses, strict, request if strict else MappingProxyType({}))
