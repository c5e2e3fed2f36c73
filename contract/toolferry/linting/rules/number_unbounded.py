"""A number without the range that its name gives it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Final

from toolferry.linting.finding import Flaw, Severity
from toolferry.linting.members import Member
from toolferry.linting.rule import Rule
from toolferry.linting.samples import taking
from toolferry.linting.subject import Subject

#: The bounds that a kind of number has by nature; None: a question of the tool.
_Range = tuple[float | None, float | None]
_COUNT: Final[_Range] = (0, None)

_BY_LAST_WORD: Final[Mapping[str, _Range]] = MappingProxyType(
    {
        "latitude": (-90, 90),
        "lat": (-90, 90),
        "longitude": (-180, 180),
        "lon": (-180, 180),
        "lng": (-180, 180),
        "probability": (0, 1),
        "port": (1, 65535),
        "age": (0, 150),
        **dict.fromkeys(
            """
            adults amount area attempts attendees children count days distance duration guests
            height hours length mass minutes months page passengers people persons population price
            quantity radius retries rooms seats seconds tickets timeout travelers travellers
            volume weeks weight width years
            """.split(),  # noqa: SIM905 -- a text is easier to read
            _COUNT,
        ),
    }
)
_BY_NAME: Final[Mapping[str, _Range]] = MappingProxyType({"month": (1, 12), "hour": (0, 23)})
_PORTIONS: Final = frozenset(
    """
    limit per_page perpage page_size pagesize max_results maxresults num_results top_k topk
    batch_size max_count n_results result_limit
    """.split()  # noqa: SIM905 -- a text is easier to read
)
#: Words of names after which a number counts things.
_COUNTERS: Final = (("number", "of"), ("num",), ("no", "of"))


def _check(subject: Subject) -> Iterator[Flaw]:
    for member in subject.members:
        missing = _missing(member) if member.is_a("integer", "number") else ()
        if missing and not member.has("enum", "const"):
            yield Flaw(
                place=member.place,
                problem=f"nothing bounds it: it lacks {' and '.join(word for word, _ in missing)}",
                mend=f"add {' and '.join(f'{word}: {bound}' for word, bound in missing)}",
            )


def _missing(member: Member) -> tuple[tuple[str, str], ...]:
    """Give the bounds that belong to the name and that the schema lacks."""
    if member.name.lower() in _PORTIONS:
        low, high = "1", "the most that the tool gives at once"
    else:
        low, high = (("" if one is None else f"{one:g}") for one in _range(member))
    lower = member.has("minimum", "exclusiveMinimum") or not low
    upper = member.has("maximum", "exclusiveMaximum") or not high
    return (*((("minimum", low),) * (not lower)), *((("maximum", high),) * (not upper)))


def _range(member: Member) -> _Range:
    words = member.words
    if member.name.lower() in _BY_NAME:
        return _BY_NAME[member.name.lower()]
    if any(words[: len(counter)] == counter for counter in _COUNTERS):
        return _COUNT
    return _BY_LAST_WORD.get(words[-1], (None, None)) if words else (None, None)


RULE: Final = Rule(
    code="TF303",
    name="number-unbounded",
    severity=Severity.WARNING,
    doc="A number has a range by its name (a count, a page size, a latitude), and none is told.",
    bad=(taking(limit={"type": "integer", "description": "How many orders at the most."}),),
    good=(
        taking(
            limit={
                "type": "integer",
                "description": "How many orders at the most.",
                "minimum": 1,
                "maximum": 100,
            }
        ),
    ),
    check=_check,
)
