"""The place of an argument that a rule looks at, and the words that refuse what stands there.

1. A place is written as `query`, with dots into objects as `filter.table`, and with `[]` for every
   item of a list, as `links[].url`. Faults name the very item: `links[2].url`.
2. What is not there, or null, is no concern of a rule: whether it must be there is the schema's
   business.
3. It fails closed: a place that the tool's schema does not have would never be looked at, so a rule
   with such a place denies every call.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from toolferry import ConfigurationError, ErrorCode, Fault
from toolferry.codes import CODE_DEFAULTS
from toolferry.discretion import discretion_of
from toolferry.template import unknown_places
from toolferry.wording import path_text
from toolferry_policies.facts import Facts
from toolferry_policies.verdict import Deny, Permit, Verdict

#: A rule of a tool.
Rule: TypeAlias = Callable[[Facts], Verdict]
#: Where in the arguments a value stands: names and indexes.
Path: TypeAlias = tuple[str | int, ...]

_PLACE: Final = re.compile(r"[^.\[\]{}]+(\[\])*(\.[^.\[\]{}]+(\[\])*)*")
_STEP: Final = re.compile(r"\[\]|[^.\[\]]+")
_ITEMS: Final = "[]"
_MEND: Final = CODE_DEFAULTS[ErrorCode.SCHEMA].suggestion


class Misplaced(Exception):
    """What should hold the argument is of another type; `path` says where."""

    def __init__(self, path: Path, value: Any, expected: str) -> None:
        super().__init__(path, expected)
        self.path = path
        self.value = value
        self.expected = expected


@dataclass(frozen=True, slots=True)
class Place:
    """Where in the arguments of a call a rule looks.

    Args:
        text: As the story at the top of this file has it.

    Raises:
        ConfigurationError: The text is no place.
    """

    text: str

    def __post_init__(self) -> None:
        if not _PLACE.fullmatch(str(self.text)):
            raise ConfigurationError(
                "rule",
                f"{self.text!r:.60} is no place of an argument: write a name, as links[].url",
            )

    def values(self, arguments: Mapping[str, Any]) -> Iterator[tuple[Path, Any]]:
        """Give every value at this place, with its path.

        Raises:
            Misplaced: Something around it is of another type than the place says.

        >>> list(Place("links[].url").values({"links": [{"url": "a"}, {}, {"url": "b"}]}))
        [(('links', 0, 'url'), 'a'), (('links', 2, 'url'), 'b')]
        """
        return _walk((), arguments, tuple(_STEP.findall(self.text)))

    def unknown_to(self, facts: Facts) -> bool:
        """Say whether the called tool has no such argument."""
        root = self.text.partition(_ITEMS)[0]
        return facts.tool is None or bool(unknown_places(f"{{{root}}}", facts.tool.parameters))


def _walk(path: Path, value: Any, steps: tuple[str, ...]) -> Iterator[tuple[Path, Any]]:
    if value is None:
        return
    if not steps:
        yield path, value
        return
    step, *rest = steps
    if step == _ITEMS:
        for index, item in enumerate(_of_type(list, path, value, "array")):
            yield from _walk((*path, index), item, tuple(rest))
    else:
        member = _of_type(Mapping, path, value, "object").get(step)
        yield from _walk((*path, step), member, tuple(rest))


def _of_type(kind: Any, path: Path, value: Any, name: str) -> Any:
    if not isinstance(value, kind):
        raise Misplaced(path, value, name)
    return value


def for_each(name: str, text: str, judge: Callable[[Facts, Path, Any], Verdict]) -> Rule:
    """Make the rule that has each value at a place judged; the first that does not permit decides.

    Args:
        name: The rule's, as logs and explanations tell it.
        text: The place.
        judge: Judges one value, which is not None.

    Raises:
        ConfigurationError: The text is no place.
    """
    place = Place(text)

    def rule(facts: Facts) -> Verdict:
        try:
            found = list(place.values(facts.call.arguments))
        except Misplaced as error:
            return refused(facts, error.path, error.value, error.expected)
        if not found and place.unknown_to(facts):
            return _blind(name, place, facts)
        for path, value in found:
            verdict = judge(facts, path, value)
            if not isinstance(verdict, Permit):
                return verdict
        return Permit()

    rule.__name__ = rule.__qualname__ = name
    return rule


def _blind(name: str, place: Place, facts: Facts) -> Deny:
    detail = f"the rule {name} looks at {place.text}, which {facts.call.name} does not have"
    return Deny(ErrorCode.DENIED, "A policy could not judge this call.", detail=detail)


def refused(facts: Facts, path: Path, value: Any, expected: str) -> Deny:
    """Deny a call for one value, in words by which a model can mend it.

    Args:
        facts: Of the call.
        path: Where the value stands.
        value: What came; not repeated when the tool's schema marks it as secret.
        expected: What may stand there.
    """
    schema = facts.tool.parameters if facts.tool else {}
    where = path_text(path)
    got = discretion_of(schema).show(path, value)
    return Deny(
        ErrorCode.DENIED,
        f"{where} is not allowed: expected {expected}, got {got}.",
        suggestion=_MEND,
        faults=(Fault(path=where, expected=expected, got=got),),
    )


def of_text(judge: Callable[[Facts, Path, str], Verdict]) -> Callable[[Facts, Path, Any], Verdict]:
    """Have only texts judged; any other value is denied."""

    def judged(facts: Facts, path: Path, value: Any) -> Verdict:
        if not isinstance(value, str):
            return refused(facts, path, value, "text")
        return judge(facts, path, value)

    return judged
