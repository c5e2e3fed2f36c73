"""The judge: says whether a value fits a schema, and what is wrong with it when it does not."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import islice
from typing import Any, Final

from toolferry.integers import is_integer
from toolferry.judging.assertions import Fits
from toolferry.judging.compiled import Compiled
from toolferry.judging.explanation import Explanation
from toolferry.judging.misfit import FALSE, Misfit

#: Misfits of one value that are looked for.
MAX_MISFITS: Final = 200


class Judge:
    """Judges values by a checked schema; nothing is ever fetched. Threads may share it.

    JSON Schema 2020-12 with the formats of `toolferry.formats`.

    Args:
        schema: The whole document; it must not be changed from now on.
        is_integer: What counts as an integer.

    >>> judge = Judge({"properties": {"id": {"$ref": "#/$defs/a"}}, "$defs": {"a": {"minimum": 1}}})
    >>> judge.fits({"id": 7})
    True
    >>> [(one.path, one.keyword, one.wanted) for one in judge.misfits({"id": 0})]
    [(('id',), 'minimum', 1)]
    """

    def __init__(self, schema: Mapping[str, Any], is_integer: Fits = is_integer) -> None:
        self._schema = schema
        self._compiled = Compiled(schema, is_integer)
        self._fits = self._compiled.fits(schema)

    def fits(self, value: Any) -> bool:
        """Say whether a value fits.

        Raises:
            RecursionError: The schema makes many steps of each of its levels.
        """
        if not self._compiled.remembers:
            return self._fits(value)
        with self._compiled.judging:
            return self._fits(value)

    def misfits(self, value: Any) -> tuple[Misfit, ...]:
        """Give what is wrong with a value, in no particular order; empty when it fits.

        Of very much that is wrong, `MAX_MISFITS` are found.

        Raises:
            RecursionError: As above.
        """
        if self.fits(value):
            return ()
        with self._compiled.judging:
            misfits = Explanation(self._compiled).look(self._schema, value)
            found = tuple(islice(misfits, MAX_MISFITS))
        # Nothing that does not fit may pass, even if we could not say why.
        return found or (Misfit((), FALSE, self._schema, value),)
