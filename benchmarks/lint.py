"""The linter over a JSONL file of definitions: its time, its counts, and a sample to check by hand.

    python -m benchmarks.lint definitions.jsonl
    python -m benchmarks.lint definitions.jsonl --json
    python -m benchmarks.lint definitions.jsonl --table
    python -m benchmarks.lint definitions.jsonl --sample 60 --seed 1

The time is the median of several rounds over the whole file, reading it not included; twins are
looked for among all definitions, as in one registry. A sample takes two findings of every rule that
found any, and the others by the square root of the rules' counts, so that rare rules are checked
too; each is printed with the part of the definition that it speaks of.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from benchmarks.lint_table import rules_table
from toolferry import RULES, Definition, Finding, lint, read_definition
from toolferry.linting.linter import findings_of
from toolferry.linting.members import members_of
from toolferry.linting.twins import with_twins

#: How often the whole file is linted.
ROUNDS: Final = 5
#: Findings of each rule that a sample holds at least, where there are so many.
_LEAST: Final = 2
#: Characters of a definition that are shown with a finding.
_MOST_SHOWN: Final = 600


@dataclass(frozen=True, slots=True)
class Judged:
    """A finding, and what it was found in."""

    finding: Finding
    definition: Definition
    twin: Definition | None


def read(file: Path) -> list[Definition]:
    """Read the definitions of a JSONL file."""
    with file.open(encoding="utf-8") as lines:
        return [read_definition(json.loads(line)) for line in lines if line.strip()]


def milliseconds(definitions: Sequence[Definition]) -> float:
    """Give the median time for one definition."""
    times = []
    for _ in range(ROUNDS):
        started = time.perf_counter()
        lint(definitions)
        times.append(time.perf_counter() - started)
    return statistics.median(times) * 1000 / len(definitions)


def counts(findings: Sequence[Finding]) -> dict[str, int]:
    """Count the findings of every rule, those that found nothing included."""
    found = Counter(finding.code for finding in findings)
    return {code: found[code] for code in RULES}


def judged(definitions: Sequence[Definition]) -> list[Judged]:
    """Give every finding with what it was found in, and the twin of that."""
    return [
        Judged(finding, definition, twin)
        for definition, twin in with_twins(definitions)
        for finding in findings_of(definition, twin)
    ]


def sample(found: Sequence[Judged], size: int, seed: int) -> list[Judged]:
    """Draw findings for checking, by rule."""
    by_rule: dict[str, list[Judged]] = defaultdict(list)
    for one in found:
        by_rule[one.finding.code].append(one)
    for code, group in by_rule.items():  # dice of its own: a rule that changes moves no other
        random.Random(f"{seed} {code}").shuffle(group)  # noqa: S311 -- can be drawn again
    shares = sorted(_shares(by_rule, size).items())
    return [one for code, share in shares for one in by_rule[code][:share]]


def _shares(by_rule: Mapping[str, Sequence[Judged]], size: int) -> dict[str, int]:
    shares = {code: min(_LEAST, len(group)) for code, group in by_rule.items()}
    while sum(shares.values()) < min(size, sum(map(len, by_rule.values()))):
        open_rules = [code for code in by_rule if shares[code] < len(by_rule[code])]
        neediest = max(open_rules, key=lambda code: len(by_rule[code]) ** 0.5 / shares[code])
        shares[neediest] += 1
    return shares


def excerpt(one: Judged) -> str:
    """Give the part of a definition that a finding speaks of."""
    definition = one.definition
    for member in members_of(definition.parameters):
        if one.finding.place in {member.place, f"{member.place}.default"}:
            return json.dumps(member.schema, ensure_ascii=False)[:_MOST_SHOWN]
    shown = [definition] if one.twin is None else [definition, one.twin]
    return "\n   ".join(_signature(it)[:_MOST_SHOWN] for it in shown)


def _signature(definition: Definition) -> str:
    names = ", ".join(definition.parameters.get("properties", ()))
    return f"{definition.name}({names}) {definition.description!r}"


def main() -> None:
    """Measure, count, or print a sample."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("file", type=Path, help="one definition a line")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--table", action="store_true", help="print the table of the docs")
    parser.add_argument("--sample", type=int, default=0, help="findings to print instead")
    parser.add_argument("--seed", type=int, default=1, help="of the sample")
    chosen = parser.parse_args()
    definitions = read(chosen.file)
    if chosen.sample:
        _print_sample(definitions, chosen.sample, chosen.seed)
        return
    if chosen.table:
        print(rules_table(counts(lint(definitions))))
        return
    figures = {
        "definitions": len(definitions),
        "ms_per_definition": round(milliseconds(definitions), 3),
        "findings": counts(lint(definitions)),
    }
    sys.stdout.write(json.dumps(figures) + "\n" if chosen.json else _text(figures))


def _print_sample(definitions: Sequence[Definition], size: int, seed: int) -> None:
    for number, one in enumerate(sample(judged(definitions), size, seed), start=1):
        print(f"{number}. {one.finding.tool}: {one.finding}\n   {excerpt(one)}")


def _text(figures: dict[str, Any]) -> str:
    lines = [f"{figures['definitions']} definitions, {figures['ms_per_definition']} ms each"]
    lines += [f"{code} {RULES[code].name:<26}{n:>6}" for code, n in figures["findings"].items()]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    main()
