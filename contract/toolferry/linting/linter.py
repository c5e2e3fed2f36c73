"""The linter: every rule over every tool."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from toolferry.linting.definition import Definition
from toolferry.linting.finding import Finding
from toolferry.linting.rule import Rule
from toolferry.linting.subject import Subject, subject_of
from toolferry.linting.table import RULES
from toolferry.linting.twins import with_twins
from toolferry.tool import Tool


def lint(tools: Iterable[Tool | Definition]) -> list[Finding]:
    """Find what a model would stumble over, tool by tool, in the order of the rules.

    Nothing is called or fetched. Tools that stand earlier are what later ones are compared with.
    A rule that a tool accepts (`lint_accepted`) finds nothing in it.

    >>> [str(one.code) for one in lint([Definition(name="search")])]
    ['TF101', 'TF201']
    """
    return [
        finding
        for definition, twin in with_twins(map(definition_of, tools))
        for finding in findings_of(definition, twin)
    ]


def definition_of(tool: Tool | Definition) -> Definition:
    """Give what the rules look at of a tool."""
    if isinstance(tool, Definition):
        return tool
    return Definition(
        name=tool.name,
        description=tool.description,
        parameters=tool.parameters,
        effect=tool.effect,
        permissions=tool.permissions | tool.allowed_roles,
        examples=tool.examples,
        accepted=tool.lint_accepted,
    )


def findings_of(definition: Definition, twin: Definition | None = None) -> Iterator[Finding]:
    """Give what the rules find in one definition.

    Args:
        definition: What is judged.
        twin: Another tool that a model could not tell from it.
    """
    subject = subject_of(definition, twin)
    for rule in RULES.values():
        if rule.code not in definition.accepted:
            yield from _of_rule(rule, subject)


def _of_rule(rule: Rule, subject: Subject) -> Iterator[Finding]:
    for flaw in rule.check(subject):
        yield Finding(
            code=rule.code,
            rule=rule.name,
            severity=rule.severity,
            tool=subject.definition.name,
            place=flaw.place,
            problem=flaw.problem,
            mend=flaw.mend,
        )
