"""`toolferry tools`: what a model may be offered."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import typer
from rich.table import Table
from rich.text import Text
from typer.exceptions import TyperException

from toolferry import SCHEMA_VERSION, Definition, Tool, load_tools
from toolferry_console.definitions import read_definitions
from toolferry_console.exit_codes import ExitCode
from toolferry_console.exports import show_export, tool_of
from toolferry_console.findings import report_findings
from toolferry_console.live_tools import declare_tools, show_live_tools
from toolferry_console.options import Json, ToolsIfAny
from toolferry_console.printing import out, print_json
from toolferry_dispatcher.providers import Strictness, export_tools


def tools(  # noqa: PLR0913, PLR0917 -- each is one option of the command
    tools: ToolsIfAny = None,
    lint: Annotated[
        bool, typer.Option("--lint", help="Report what a model would stumble over, and the mend.")
    ] = False,
    definitions: Annotated[
        str | None,
        typer.Option(
            "--definitions",
            metavar="FILE",
            help="With --lint or --provider: take the definitions in a JSON or JSONL file instead; "
            "- for stdin.",
        ),
    ] = None,
    live: Annotated[
        bool, typer.Option("--live", help="What the live workers offer, and where they differ.")
    ] = False,
    declare: Annotated[
        bool, typer.Option("--declare", help="Offer the tools for 30 days, workers or not.")
    ] = False,
    provider: Annotated[
        str | None,
        typer.Option(
            "--provider",
            metavar="NAME",
            help="Print what this provider is told of the tools, and what got lost on the way.",
        ),
    ] = None,
    strict: Annotated[
        bool, typer.Option("--strict", help="With --provider: strict where that is possible.")
    ] = False,
    json: Json = False,
) -> int:
    """List the tools of a module, with the JSON Schema of their arguments; lint or export them.

    With --lint the exit code is 1 when something weighs more than advice.
    """
    if definitions is not None and not (lint or provider):
        raise TyperException("Option '--definitions' needs --lint or --provider")
    if strict and provider is None:
        raise TyperException("Option '--strict' needs --provider")
    if provider is not None and not lint:
        wanted = Strictness.WHERE_POSSIBLE if strict else Strictness.NEVER
        show_export(export_tools(provider, _exported(tools, definitions), wanted), json=json)
        return ExitCode.OK
    if lint:
        return report_findings(_judged(tools, definitions), json=json)
    if live:
        show_live_tools(json=json)
        return ExitCode.OK
    registry = load_tools(_required(tools))
    known = registry.visible(exclude_dangerous=False)
    if declare:
        declare_tools(known, registry.extensions)
    _list(known, json=json)
    return ExitCode.OK


def _judged(module: str | None, definitions: str | None) -> Sequence[Tool | Definition]:
    if definitions is not None:
        return read_definitions(definitions)
    return load_tools(_required(module)).visible(exclude_dangerous=False)


def _exported(module: str | None, definitions: str | None) -> Sequence[Tool]:
    if definitions is not None:
        return [tool_of(one) for one in read_definitions(definitions)]
    return load_tools(_required(module)).visible(exclude_dangerous=False)


def _required(module: str | None) -> str:
    if module is None:
        raise TyperException("Missing option '--tools'")
    return module


def _list(known: Sequence[Tool], *, json: bool) -> None:
    if json:
        print_json({"schema_version": SCHEMA_VERSION, "tools": [_to_json(tool) for tool in known]})
    else:
        out().print(_table(known))


def _to_json(tool: Tool) -> dict[str, object]:
    return {
        "name": tool.name,
        "description": tool.description,
        "parameters": tool.parameters,
        "version": tool.version,
        "lane": tool.lane.value,
        "queue": tool.queue,
        "effect": tool.effect.value,
        "permissions": sorted(tool.permissions | tool.allowed_roles),
        "examples": list(tool.examples),
        "timeout_seconds": tool.timeout,
        "deadline_seconds": tool.deadline,
        "max_attempts": tool.retry.max_attempts,
    }


def _table(known: Sequence[Tool]) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold")
    for heading in ("tool", "lane", "effect", "limit", "description"):
        table.add_column(heading, no_wrap=heading != "description")
    for tool in known:
        description = tool.description.partition("\n")[0]
        limit = f"{tool.timeout:g} s"
        table.add_row(Text(tool.name), tool.lane.value, tool.effect.value, limit, Text(description))
    return table
