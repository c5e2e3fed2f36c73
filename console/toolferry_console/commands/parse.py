"""`toolferry parse`: what a response asks for, without running it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

import typer
from rich.text import Text
from typer.exceptions import TyperException

from toolferry import Registry, Tool, load_tools
from toolferry.legible import legible
from toolferry.wording import json_text
from toolferry_console.definitions import read_definitions
from toolferry_console.exit_codes import ExitCode
from toolferry_console.options import Json, ToolsIfAny
from toolferry_console.printing import out, print_json
from toolferry_console.reading import STDIN
from toolferry_console.responses import read_response
from toolferry_dispatcher.looking import Look, SeenCall, look


def parse(
    file: Annotated[str, typer.Argument(metavar="[FILE|-]", help="The response.")] = STDIN,
    provider: Annotated[str, typer.Option(help="Whose format it is in.")] = "auto",
    stream: Annotated[
        bool, typer.Option("--stream", help="It is a JSON list of chunks, or an event stream.")
    ] = False,
    definitions: Annotated[
        str | None,
        typer.Option(
            "--definitions",
            metavar="FILE",
            help='The tools: a JSON list of {"name", "description", "parameters"}.',
        ),
    ] = None,
    tools: ToolsIfAny = None,
    json: Json = False,
) -> int:
    """Show what a response asks for and how each call is judged; nothing is run, no server needed.

    Without tools, calls are judged by reading alone. The exit code is 1 when a call is refused, or
    when the response is neither an answer nor whole.
    """
    if definitions == STDIN == file:
        raise TyperException("The response and '--definitions' cannot both be standard input")
    registry = _registry(definitions, tools)
    body, adapter = read_response(file, provider, stream=stream)
    seen = look(body, adapter, registry)
    if json:
        print_json(seen.to_json())
    else:
        for line in _lines(seen):
            out().print(Text(legible(line)), soft_wrap=True)
    return ExitCode.OK if seen.is_good else ExitCode.NOT_ALL_SUCCEEDED


def _registry(definitions: str | None, tools: str | None) -> Registry | None:
    if definitions is None:
        return None if tools is None else load_tools(tools)
    registry = Registry()
    for one in read_definitions(definitions):
        registry.declare(
            Tool(
                name=one.name,
                description=one.description,
                parameters=dict(one.parameters),
                examples=one.examples,
            )
        )
    return registry


def _lines(seen: Look) -> Iterator[str]:
    yield f"{seen.turn.value} ({seen.provider}), {len(seen.calls)} calls"
    for one in seen.calls:
        yield from _call_lines(one)


def _call_lines(one: SeenCall) -> Iterator[str]:
    made = " (made)" if one.generated_id else ""
    arguments = "" if one.arguments is None else f" {json_text(one.arguments)}"
    outcome = "accept" if one.error is None else f"reject {one.error['code']}"
    yield f"{one.call_id}{made}  {outcome}  {one.name}{arguments}"
    if one.repairs:
        yield f"  repaired: {', '.join(one.repairs)}"
    for name, part in (one.error or {}).items():
        if name in {"message", "suggestion", "allowed", "closest", "example"}:
            yield f"  {part if isinstance(part, str) else f'{name}: {json_text(part)}'}"
