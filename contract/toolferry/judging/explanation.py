"""An explanation: what is wrong with one value, looked for until there is enough to tell.

Nobody reads hundreds of faults of one call, and what a model wrote must not cost more to explain
than to read. So the search ends early: what it has found by then is right, if perhaps not all.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Final, TypeAlias

from toolferry.judging.compiled import Compiled
from toolferry.judging.inside import INSIDE
from toolferry.judging.misfit import FALSE, Misfit

#: Misfits of one value that are told at the most.
MAX_MISFITS: Final = 200
#: Misfits that are made for that, with those in alternatives; from then on, one is enough.
_MOST_MADE: Final = 1_000

_Path: TypeAlias = tuple[str | int, ...]
_Misfits: TypeAlias = Iterator[Misfit]


class Explanation:
    """Finds what is wrong with one value; made for it, and used once.

    Args:
        compiled: The document that the value is being judged by.
    """

    def __init__(self, compiled: Compiled) -> None:
        #: The document.
        self.compiled = compiled
        self._made = 0
        self._of_references: dict[tuple[int, int], tuple[_Path, list[Misfit]]] = {}

    def of(self, value: Any) -> tuple[Misfit, ...]:
        """Give what is wrong, in no particular order, and at the most `MAX_MISFITS`.

        Raises:
            RecursionError: The schema makes many steps of each of its levels.
        """
        return tuple(self._gathered(self.look(self.compiled.root, value, ())))

    def misfit(self, path: _Path, keyword: str, schema: Any, value: Any, **more: Any) -> Misfit:
        """Make a misfit, which counts; see there for what it is made of."""
        self._made += 1
        return Misfit(path, keyword, schema, value, **more)

    def look(self, schema: Any, value: Any, path: _Path) -> _Misfits:
        """Look for what is wrong with the value at a path by one of the document's schemas."""
        if isinstance(schema, bool):
            if not schema:
                yield self.misfit(path, FALSE, schema, value)
            return
        for keyword, fits in self.compiled.parts(schema):
            inside = INSIDE.get(keyword)
            if inside is not None:
                yield from inside(self, schema, value, path)
            elif not fits(value):
                yield self.misfit(path, keyword, schema, value)

    def look_into(self, schema: Any, value: Any, steps: Iterable[Any], path: _Path) -> _Misfits:
        """Look at members or elements that are all to fit one schema."""
        fits = self.compiled.fits(schema)
        for step in steps:
            if not fits(value[step]):
                yield from self.look(schema, value[step], (*path, step))

    def look_once(self, reference: str, value: Any, path: _Path) -> list[Misfit]:
        """Look at a value once by what a reference leads to: many alternatives may lead to one."""
        target = self.compiled.target(reference)
        asked = (id(target), id(value))
        known = self._of_references.get(asked)
        if known is None or known[0] != path:  # one value may stand at several places
            known = path, self._gathered(self.look(target, value, path))
            self._of_references[asked] = known
        return known[1]

    def alternatives(
        self, schemas: list[Any], value: Any, path: _Path
    ) -> tuple[tuple[Misfit, ...], ...]:
        """Give what is wrong by each alternative, or what rules it out."""
        level = len(path)
        found: list[tuple[Misfit, ...]] = []
        for one in schemas:
            # A comprehension is one more step of each level, which takes a fifth longer.
            found.append(tuple(self._gathered(self.look(one, value, path), level)))  # noqa: PERF401
        return tuple(found)

    def _gathered(self, misfits: _Misfits, level: int | None = None) -> list[Misfit]:
        """Take misfits until there are enough: of an alternative, one that rules it out."""
        found: list[Misfit] = []
        for one in misfits:
            found.append(one)
            if self._made >= _MOST_MADE or len(found) == MAX_MISFITS:
                break
            if level is not None and one.rules_out(level):
                break
        return found
