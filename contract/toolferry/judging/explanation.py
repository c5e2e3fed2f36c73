"""An explanation: what is wrong with one value, looked for only where it does not fit.

Nobody reads hundreds of faults of one call, and what a model wrote must not cost more to explain
than to read. So misfits are given one by one, and whoever asks takes as many as there is use for.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, TypeAlias

from toolferry.judging.applicators import OF_OBJECTS
from toolferry.judging.assertions import Fits
from toolferry.judging.compiled import OF_A_KIND, Compiled
from toolferry.judging.inside import INSIDE
from toolferry.judging.misfit import FALSE, Misfit

_Path: TypeAlias = tuple[str | int, ...]


class Explanation:
    """Finds what is wrong with one value; made for it, and used once.

    Args:
        compiled: The document that it is being judged by.
    """

    def __init__(self, compiled: Compiled) -> None:
        #: The document.
        self.compiled = compiled
        self._looked: set[tuple[int, _Path]] = set()

    def look(self, schema: Any, value: Any, path: _Path = ()) -> Iterator[Misfit]:
        """Give what is wrong with the value at a path by one of the document's schemas."""
        if isinstance(schema, bool):
            if not schema:
                yield Misfit(path, FALSE, schema, value)
            return
        if self.compiled.is_led_to_twice(schema):
            if (id(schema), path) in self._looked:
                return  # what is wrong by it is told already
            self._looked.add((id(schema), path))
        for keyword, fits in self.compiled.known(_judging, schema):
            if fits(value):
                continue
            inside = INSIDE.get(keyword)
            if inside is None:
                yield Misfit(path, keyword, schema, value)
            else:
                yield from inside(self, schema, value, path)

    def look_into(
        self, schema: Any, value: Any, steps: Iterable[Any], path: _Path
    ) -> Iterator[Misfit]:
        """Give what is wrong with members or elements that are all to fit one schema."""
        fits = self.compiled.fits(schema)
        for step in steps:
            if not fits(value[step]):
                yield from self.look(schema, value[step], (*path, step))


def _judging(compiled: Compiled, schema: Mapping[str, Any]) -> tuple[tuple[str, Fits], ...]:
    """Give each keyword of a schema that judges, those first that tell the kind of a value."""
    words = sorted(schema, key=lambda word: word not in OF_A_KIND)
    found = ((word, _fits(compiled, word, schema)) for word in words)
    return tuple((word, fits) for word, fits in found if fits is not None)


def _fits(compiled: Compiled, word: str, schema: Mapping[str, Any]) -> Fits | None:
    # An object is looked into by these, whatever it is: they are not judged one by one.
    if word in OF_OBJECTS and word in INSIDE:
        return _is_no_object
    return compiled.keyword(word, schema)


def _is_no_object(value: Any) -> bool:
    return not isinstance(value, dict)
