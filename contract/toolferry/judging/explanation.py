"""An explanation: what is wrong with one value, looked for until there is enough to tell.

Nobody reads hundreds of faults of one call, and what a model wrote must not cost more to explain
than to read. So of very many misfits a part is found, and where alternatives are many and large, it
is said that none of them fits, and no more.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Final, TypeAlias

from toolferry.judging.choices import FEWEST, Choice
from toolferry.judging.compiled import Compiled, kind, parts
from toolferry.judging.inside import INSIDE
from toolferry.judging.misfit import FALSE, Misfit

#: Misfits of one value that are found at the most.
MAX_MISFITS: Final = 200
#: Schemas that a part of the value is held to, after which no alternative is looked into any more.
_MOST_STEPS: Final = 5_000

_Path: TypeAlias = tuple[str | int, ...]
_Misfits: TypeAlias = Iterator[Misfit]


class _TooLongError(Exception):
    """It took too long to say what is wrong by each alternative."""


class Explanation:
    """Finds what is wrong with one value; made for it, and used once.

    Args:
        compiled: The document that the value is being judged by.
    """

    def __init__(self, compiled: Compiled) -> None:
        #: The document.
        self.compiled = compiled
        self._steps = 0
        #: Alternatives inside of each other that are being looked into.
        self._within = 0
        self._of_references: dict[tuple[int, int], tuple[_Path, list[Misfit]]] = {}

    def of(self, value: Any) -> tuple[Misfit, ...]:
        """Give what is wrong, in no particular order, and at the most `MAX_MISFITS`.

        Raises:
            RecursionError: The schema makes many steps of each of its levels.
        """
        return tuple(_enough(self.look(self.compiled.root, value, ())))

    def look(self, schema: Any, value: Any, path: _Path) -> _Misfits:
        """Look for what is wrong with the value at a path by one of the document's schemas."""
        self._steps += 1
        if self._within and self._steps > _MOST_STEPS:
            raise _TooLongError
        if isinstance(schema, bool):
            if not schema:
                yield Misfit(path, FALSE, schema, value)
            return
        for keyword, fits in self.compiled.known(parts, schema):
            inside = INSIDE.get(keyword)
            if inside is not None:
                yield from inside(self, schema, value, path)
            elif not fits(value):
                yield Misfit(path, keyword, schema, value)

    def look_into(self, schema: Any, value: Any, steps: Iterable[Any], path: _Path) -> _Misfits:
        """Look at members or elements that are all to fit one schema."""
        fits = self.compiled.fits(schema)
        for step in steps:
            if not fits(value[step]):
                yield from self.look(schema, value[step], (*path, step))

    def look_once(self, reference: str, value: Any, path: _Path) -> Iterable[Misfit]:
        """Look at a value by what a reference leads to, once where alternatives may lead to it."""
        target = self.compiled.target(reference)
        if not self.compiled.is_led_to_twice(target):
            return self.look(target, value, path)
        asked = (id(target), id(value))
        known = self._of_references.get(asked)
        if known is None or known[0] != path:  # one value may stand at several places
            known = path, _enough(self.look(target, value, path))
            self._of_references[asked] = known
        return known[1]

    def alternatives(
        self, schemas: list[Any], value: Any, path: _Path
    ) -> tuple[tuple[Misfit, ...], ...]:
        """Give what is wrong by each alternative that is for values of this kind.

        It is empty if that takes too long to find out, or if no alternative is.
        """
        if self._steps > _MOST_STEPS:
            return ()
        self._within += 1
        try:
            return self._within_alternatives(schemas, value, path)
        except _TooLongError:
            if self._within > 1:
                raise
            return ()
        finally:
            self._within -= 1

    def _within_alternatives(
        self, schemas: list[Any], value: Any, path: _Path
    ) -> tuple[tuple[Misfit, ...], ...]:
        found: list[tuple[Misfit, ...]] = []
        for one in self._likely(schemas, value):
            if self.compiled.known(kind, one)(value):
                # A comprehension is one more step of each level, which takes a fifth longer.
                found.append(tuple(_enough(self.look(one, value, path))))  # noqa: PERF401
        return tuple(found)

    def _likely(self, schemas: list[Any], value: Any) -> Iterable[Any]:
        if len(schemas) < FEWEST:
            return schemas
        return [one.schema for one in self.compiled.known(Choice, schemas).likely(value)]


def _enough(misfits: _Misfits) -> list[Misfit]:
    found: list[Misfit] = []
    for one in misfits:  # `list(islice(…))` takes a tenth longer where it goes deep
        found.append(one)
        if len(found) == MAX_MISFITS:
            break
    return found
