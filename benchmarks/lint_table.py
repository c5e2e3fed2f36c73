"""The table of the linter's rules, as docs/designing-tools.md has it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from toolferry import RULES, Rule


def rules_table(counts: Mapping[str, int]) -> str:
    """Write all rules as a Markdown table, with how often each found something.

    Args:
        counts: The findings of each code.
    """
    rows = [
        f"| `{rule.code}` | {rule.name} | {rule.severity} | {rule.doc} | {counts[rule.code]:,} |"
        for rule in RULES.values()
    ]
    heading = ["| code | rule | severity | what is wrong | found |", "|---|---|---|---|---:|"]
    return "\n".join([*heading, *rows])


def rules_examples() -> str:
    """Write what each rule finds, and what it is content with, as Markdown."""
    return "\n\n".join(map(_example, RULES.values()))


def _example(rule: Rule) -> str:
    lines = [f"**{rule.code} {rule.name}**", "", "```json"]
    for word, sample in (("bad", rule.bad), ("good", rule.good)):
        lines += [json.dumps({word: _shown(one)}, ensure_ascii=False) for one in sample]
    return "\n".join([*lines, "```"])


def _shown(definition: Mapping[str, Any]) -> dict[str, Any]:
    """Give a definition with its parameters where a reader looks for them."""
    parameters = definition.get("parameters", {}).get("properties")
    rest = {key: value for key, value in definition.items() if key != "parameters"}
    return rest if parameters is None else {**rest, "properties": parameters}
