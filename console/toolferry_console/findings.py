"""The linter's findings, for people and for scripts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby
from types import MappingProxyType
from typing import Final

from rich.console import Console
from rich.text import Text

from toolferry import SCHEMA_VERSION, Definition, Finding, Severity, Tool, lint
from toolferry.legible import one_line
from toolferry_console.exit_codes import ExitCode
from toolferry_console.printing import out, print_json

#: Characters of a name, a place or a sentence; the names in a file may be anybody's.
MAX_LINE: Final = 500
_STYLES: Final = MappingProxyType(
    {Severity.ERROR: "bold red", Severity.WARNING: "yellow", Severity.ADVICE: "dim"}
)


def report_findings(tools: Sequence[Tool | Definition], *, json: bool) -> ExitCode:
    """Lint tools, print what was found, and give the exit code.

    Args:
        tools: What is judged.
        json: Print `{"schema_version", "tools", "counts": {severity: int}, "findings": [...]}`
            instead of text.
    """
    findings = lint(tools)
    if json:
        print_json(
            {
                "schema_version": SCHEMA_VERSION,
                "tools": len(tools),
                "counts": _counts(findings),
                "findings": [finding.to_json() for finding in findings],
            }
        )
    else:
        _print(out(), findings, len(tools))
    weighty = any(finding.weighs for finding in findings)
    return ExitCode.NOT_ALL_SUCCEEDED if weighty else ExitCode.OK


def _print(screen: Console, findings: Iterable[Finding], judged: int) -> None:
    findings = tuple(findings)
    for tool, group in groupby(findings, key=lambda finding: finding.tool):
        screen.print(Text(one_line(tool, MAX_LINE), style="bold"), soft_wrap=True)
        for finding in group:
            screen.print(_line(finding), soft_wrap=True)
        screen.print()
    tools = "1 tool" if judged == 1 else f"{judged} tools"
    found = ", ".join(f"{count} {name}" for name, count in _counts(findings).items() if count)
    screen.print(Text(f"{tools}: {found or 'nothing found'}"))


def _line(finding: Finding) -> Text:
    style = _STYLES[finding.severity]
    line = Text("  ").append(f"{finding.severity.value:<8}", style=style)
    place, problem = one_line(finding.place, MAX_LINE), one_line(finding.problem, MAX_LINE)
    line.append(f"{finding.code}  {place}: {problem}\n")
    return line.append(f"          {'':<5} {one_line(finding.mend, MAX_LINE)}", style="dim")


def _counts(findings: Iterable[Finding]) -> dict[str, int]:
    counts = {severity.value: 0 for severity in Severity}
    for finding in findings:
        counts[finding.severity.value] += 1
    return counts
