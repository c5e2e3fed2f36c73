"""A schema compiled into functions that say whether a value fits.

They are an order of magnitude quicker than a walk over the schema, and every call is judged twice.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, TypeAlias

from toolferry.judging.applicators import APPLICATORS, OF_OBJECTS, conjunction, of_object
from toolferry.judging.assertions import ASSERTIONS, Fits, always, never, of_types
from toolferry.judging.once import Pass
from toolferry.references import resolve

_Schema: TypeAlias = Mapping[str, Any]

#: Keywords that tell what kind of value is meant.
_OF_A_KIND: Final = frozenset({"type", "const", "enum"})


class Compiled:
    """The schemas of one document, each compiled once, when it is first asked for.

    Args:
        root: The document; checked, and never changed from now on.
        is_integer: What counts as an integer.
    """

    def __init__(self, root: _Schema, is_integer: Fits) -> None:
        #: The document.
        self.root = root
        #: To be entered around each value that is judged.
        self.judging = Pass()
        #: Whether a reference leads back to where it stands.
        self.is_circular = False
        self._is_integer = is_integer
        self._known: dict[int, Fits] = {}
        self._parts: dict[int, tuple[tuple[str, Fits], ...]] = {}
        self._targets: dict[str, Any] = {}
        self._of_reference: dict[str, Fits] = {}
        self._under_way: set[str] = set()

    def fits(self, schema: Any) -> Fits:
        """Give what says whether a value fits one of the document's schemas."""
        if isinstance(schema, bool):
            return always if schema else never
        known = self._known.get(id(schema))
        if known is None:
            known = self._known[id(schema)] = self._compiled(schema)
        return known

    def parts(self, schema: _Schema) -> tuple[tuple[str, Fits], ...]:
        """Give each keyword of a schema that judges, those first that tell the kind of a value."""
        known = self._parts.get(id(schema))
        if known is None:
            words = sorted(schema, key=lambda word: word not in _OF_A_KIND)
            parts = ((word, self._keyword(word, schema)) for word in words)
            known = tuple((word, fits) for word, fits in parts if fits is not None)
            self._parts[id(schema)] = known
        return known

    def target(self, reference: str) -> Any:
        """Give the schema that a reference points to."""
        if reference not in self._targets:
            self._targets[reference] = resolve(self.root, reference)
        return self._targets[reference]

    def reference(self, reference: str) -> Fits:
        """Give what says whether a value fits what a reference points to, perhaps back to it."""
        if reference in self._under_way:
            self.is_circular = True
            return self._once(reference)
        if reference not in self._of_reference:
            self._under_way.add(reference)
            self._of_reference[reference] = self.fits(self.target(reference))
            self._under_way.remove(reference)
        return self._of_reference[reference]

    def _once(self, reference: str) -> Fits:
        """Judge each value of a pass once; the reference is compiled by the time it is asked."""

        def fits(value: Any) -> bool:
            found, known = self.judging.found, (reference, id(value))
            if known not in found:
                found[known] = self._of_reference[reference](value)
            fitting: bool = found[known]
            return fitting

        return fits

    def _compiled(self, schema: _Schema) -> Fits:
        checks: list[Fits] = []
        if not OF_OBJECTS.isdisjoint(schema):
            checks.append(of_object(self, schema))
        others = (self._keyword(one, schema) for one in schema if one not in OF_OBJECTS)
        return conjunction([*checks, *(check for check in others if check is not None)])

    def _keyword(self, keyword: str, schema: _Schema) -> Fits | None:
        """Compile one keyword; None of one that judges nothing."""
        if keyword == "type":
            return of_types(schema["type"], self._is_integer)
        if keyword in ASSERTIONS:
            return ASSERTIONS[keyword](schema[keyword])
        compile_ = APPLICATORS.get(keyword)
        return None if compile_ is None else compile_(self, schema)
