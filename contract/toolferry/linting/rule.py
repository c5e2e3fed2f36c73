"""The rule: one thing that is looked for in every definition."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from toolferry.linting.finding import Flaw, Severity
from toolferry.linting.subject import Subject

#: Definitions as JSON data, which `read_definition` reads; several where a rule compares tools.
Sample = tuple[Mapping[str, Any], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """One thing that is looked for in every definition."""

    #: `TF` and three digits, never given to another rule: people write it beside their reasons.
    code: str
    #: For people: lower case, with hyphens.
    name: str
    severity: Severity
    #: One line: what is wrong, and why a model minds.
    doc: str
    #: Definitions in which the rule finds something, as small as they can be.
    bad: Sample
    #: The same, mended: the rule finds nothing.
    good: Sample
    #: Gives each flaw of one definition; pure.
    check: Callable[[Subject], Iterator[Flaw]]
