"""`toolferry explain`: why a call ran or did not, what became of it, what the model was told."""

from __future__ import annotations

from contextlib import closing
from typing import Annotated

import typer
from rich.text import Text

from toolferry import Tool, load_tools
from toolferry.legible import legible
from toolferry_console.call_view import content_text
from toolferry_console.exit_codes import ExitCode
from toolferry_console.explaining import explain_case, explanation_lines
from toolferry_console.options import Json, ToolsIfAny
from toolferry_console.printing import err, out, print_content, print_json
from toolferry_ledger import CallCase, Catalog, Ledger, Signer, load_settings, read_case


def explain(
    call: Annotated[
        str, typer.Argument(metavar="CALL", help="Its key: the turn's id and its position, t1:0.")
    ],
    tools: ToolsIfAny = None,
    whole: Annotated[
        bool, typer.Option("--whole", help="Print only its result, all of it if it was cut.")
    ] = False,
    json: Json = False,
) -> int:
    """Say what every check said of a call, what became of it, and what the model was told."""
    settings = load_settings()
    signer = Signer(settings.secret)
    with closing(Ledger(settings)) as ledger:
        ledger.check()
        case = read_case(ledger, signer, call)
        if whole:
            return _print_whole(case)
        found = explain_case(case, _tool(case, Catalog(ledger, signer), tools))
    if json:
        print_json(found.to_json())
        return ExitCode.OK
    screen = out()
    for line in explanation_lines(found):
        screen.print(Text(legible(line)), soft_wrap=True)
    return ExitCode.OK


def _print_whole(case: CallCase) -> int:
    result = case.result
    if case.whole is None and (result is None or result.is_error):
        err().print(f"call {case.call_key} has given nothing: it is {case.state.value}")
        return ExitCode.NOT_ALL_SUCCEEDED
    print_content(content_text(result) if case.whole is None and result else case.whole or "")
    return ExitCode.OK


def _tool(case: CallCase, catalog: Catalog, modules: str | None) -> Tool | None:
    """Find the call's tool: in the modules that are named, or else as live workers offer it."""
    if case.spec is None:
        return None
    if modules is not None:
        return load_tools(modules).get(case.spec.name)
    return catalog.read().tools().get(case.spec.name)
