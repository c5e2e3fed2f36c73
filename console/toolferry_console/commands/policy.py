"""`toolferry policy`: what operators declare about tools, and what that comes to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Final

import typer
from rich.table import Table
from rich.text import Text

from toolferry import SCHEMA_VERSION, Registry, Tool, load_tools
from toolferry.legible import one_line, value_line
from toolferry_console.errors import InputUnreadable, NoSuchTool
from toolferry_console.exit_codes import ExitCode
from toolferry_console.options import Json, Tools, ToolsIfAny
from toolferry_console.past_calls import PastCall, Ruled, read_past_calls, ruled_by
from toolferry_console.printing import err, out, print_json
from toolferry_ledger import policy_path, read_policy_file
from toolferry_policies import NO_POLICY, Policy, PolicyFault, PolicyInvalid
from toolferry_policies.checks.known import closest
from toolferry_policies.declared import Said, check_policy, counted_outcome
from toolferry_policies.declared import outcome as outcome_of

policy = typer.Typer(help="Check what is declared about tools, and see what it comes to.")

File = Annotated[
    Path | None,
    typer.Argument(
        metavar="FILE", help="The policy file. Default: TOOLFERRY_POLICY, or toolferry.toml."
    ),
]
#: Characters of a value that are shown.
_MAX_CELL: Final = 200


@policy.command("check")
def check(file: File = None, tools: ToolsIfAny = None, json: Json = False) -> int:
    """Check a policy file, and with --tools print what each tool comes to.

    The exit code is 1 when something is wrong with it.
    """
    registry = load_tools(tools) if tools else Registry()
    known = registry.visible(exclude_dangerous=False)
    path = _path(file)
    try:
        found = read_policy_file(path)
        faults = check_policy(found, known) if tools else []
    except PolicyInvalid as error:
        found, faults, known = NO_POLICY, list(error.faults), ()
    if json:
        print_json(_checked(path, found, faults, known))
    else:
        _print_checked(path, found, faults, known)
    harmful = any(not fault.harmless for fault in faults)
    return ExitCode.NOT_ALL_SUCCEEDED if harmful else ExitCode.OK


@policy.command("show")
def show(
    tool: Annotated[str, typer.Argument(metavar="TOOL", help="Its name.")],
    tools: Tools,
    file: File = None,
    json: Json = False,
) -> int:
    """Show what holds for one tool, and which line of the file says it."""
    registry = load_tools(tools)
    one = registry.get(tool)
    if one is None:
        raise NoSuchTool(tool, tools, closest(tool, registry.names()))
    found = read_policy_file(_path(file)) if file or _is_there() else NO_POLICY
    said = (*outcome_of(found, one), *counted_outcome(found))
    if json:
        rows = [row.to_json() for row in said]
        print_json({"schema_version": SCHEMA_VERSION, "tool": tool, "says": rows})
    else:
        out().print(_told(said, found.source))
    return ExitCode.OK


@policy.command("replay")
def replay(
    calls: Annotated[
        str,
        typer.Argument(metavar="CALLS", help="Past calls, one JSON object a line; - for stdin."),
    ],
    tools: Tools,
    file: File = None,
    before: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Compare with this policy. Default: the verdict of each line, or else no policy.",
        ),
    ] = None,
    json: Json = False,
) -> int:
    """Say which past calls a changed policy would now treat differently.

    The exit code is 1 when there are some.
    """
    registry = load_tools(tools)
    changed = read_policy_file(_path(file))
    old = read_policy_file(_path(before)) if before else NO_POLICY
    past = list(read_past_calls(calls))
    found = []
    for one in past:
        recorded = Ruled(one.verdict) if one.verdict and not before else None
        was, now = recorded or ruled_by(one, old, registry), ruled_by(one, changed, registry)
        if was.verdict != now.verdict:
            found.append(_differs(one, was, now))
    if json:
        print_json({"schema_version": SCHEMA_VERSION, "calls": len(past), "different": found})
    else:
        _print_replayed(len(past), found)
    return ExitCode.NOT_ALL_SUCCEEDED if found else ExitCode.OK


def _differs(past: PastCall, was: Ruled, now: Ruled) -> dict[str, Any]:
    return {
        "line": past.line,
        "call": past.key or None,
        "tool": past.call.name,
        "was": was.verdict,
        "now": now.verdict,
        "rule": now.rule or was.rule or None,
        "reason": now.reason or was.reason or None,
    }


def _print_replayed(calls: int, found: Sequence[Mapping[str, Any]]) -> None:
    for one in found:
        line = "line {line}: {tool}: was {was}, now {now}".format_map(one)
        reason = one_line(one["reason"] or "", _MAX_CELL)
        out().print(
            Text(one_line(line, _MAX_CELL) + (f": {reason}" if reason else "")), soft_wrap=True
        )
    out().print(Text(f"{len(found)} of {calls} calls would be treated differently"))


def _path(file: Path | None) -> Path:
    path = file or policy_path()
    if not path.exists():
        raise InputUnreadable(str(path), "there is no such policy file")
    return path


def _is_there() -> bool:
    return policy_path().exists()


def _checked(
    path: Path, found: Policy, faults: Sequence[PolicyFault], known: Sequence[Tool]
) -> dict[str, Any]:
    tools = [
        {"name": tool.name, "says": [row.to_json() for row in outcome_of(found, tool)]}
        for tool in known
    ]
    return {
        "schema_version": SCHEMA_VERSION,
        "ok": all(fault.harmless for fault in faults),
        "file": str(path),
        "hash": found.hash or None,
        "faults": [fault.to_json() for fault in faults],
        "tools": tools,
        "counts": [row.to_json() for row in counted_outcome(found)],
        "profiles": {
            name: [tool.name for tool in known if profile.has(found.tool(tool))]
            for name, profile in found.profiles.items()
        },
    }


def _print_checked(
    path: Path, found: Policy, faults: Sequence[PolicyFault], known: Sequence[Tool]
) -> None:
    for fault in faults:
        style = "yellow" if fault.harmless else "red"
        err().print(Text(one_line(str(fault), 2 * _MAX_CELL), style=style), soft_wrap=True)
    if known:
        out().print(_table(found, known))
    for name, profile in found.profiles.items():
        tools = ", ".join(tool.name for tool in known if profile.has(found.tool(tool)))
        if known:
            out().print(Text(f"profile {name}: {tools or 'no tool'}"), soft_wrap=True)
    for row in counted_outcome(found):
        out().print(Text(f"{row.key}: {value_line(row.value, _MAX_CELL)}"), soft_wrap=True)
    if found.hash and not faults:
        out().print(Text(f"{path} is well; its hash is {found.hash}"), soft_wrap=True)


def _table(found: Policy, known: Sequence[Tool]) -> Table:
    """Give one row a tool: what the file says of it, and no more."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("tool", no_wrap=True)
    table.add_column("the policy says")
    for tool in known:
        said = [row for row in outcome_of(found, tool) if row.by]
        told = "; ".join(f"{row.key} {value_line(row.value, _MAX_CELL)}" for row in said)
        table.add_row(Text(tool.name), Text(told or "nothing: it stays as its code has it"))
    return table


def _told(said: Sequence[Said], source: str) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold")
    for heading in ("key", "value", "said by"):
        table.add_column(heading)
    for row in said:
        by = f"{source}:{row.line} ({row.by})" if row.by else "its code"
        table.add_row(row.key, Text(value_line(row.value, _MAX_CELL)), Text(by))
    return table
