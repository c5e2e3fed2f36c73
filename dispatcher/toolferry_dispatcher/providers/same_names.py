"""Two tools under one name on the wire: the model could call only one of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from toolferry import Tool, ToolInvalid


def refuse_same_names(tools: Sequence[Tool], wire_name: Callable[[str], str]) -> None:
    """Require that no two tools go by one name.

    Raises:
        ToolInvalid: Two of them do, because one is really called so or there twice.
    """
    owners: dict[str, Tool] = {}
    for tool in tools:
        owner = owners.setdefault(wire_name(tool.name), tool)
        if owner is not tool:
            raise ToolInvalid(tool.name, f"it goes by the same name on the wire as {owner.name!r}")
