"""An explanation: what is wrong with one value, looked for only where it does not fit.

Nobody reads hundreds of faults of one call, and what a model wrote must not cost more to explain
than to read. So misfits are given one by one, and whoever asks takes as many as there is use for.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, TypeAlias

from toolferry.judging.compiled import Compiled, parts
from toolferry.judging.inside import INSIDE
from toolferry.judging.misfit import FALSE, Misfit

_Path: TypeAlias = tuple[str | int, ...]


class Explanation:
    """Finds what is wrong with values.

    Args:
        compiled: The document that they are being judged by.
    """

    def __init__(self, compiled: Compiled) -> None:
        #: The document.
        self.compiled = compiled

    def look(self, schema: Any, value: Any, path: _Path = ()) -> Iterator[Misfit]:
        """Give what is wrong with the value at a path by one of the document's schemas."""
        if isinstance(schema, bool):
            if not schema:
                yield Misfit(path, FALSE, schema, value)
            return
        for keyword, fits in self.compiled.known(parts, schema):
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
