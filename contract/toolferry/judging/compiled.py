"""A schema compiled into functions that say whether a value fits.

They are an order of magnitude quicker than a walk over the schema, and every call is judged twice.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, TypeAlias, TypeVar

from toolferry.judging.applicators import APPLICATORS, OF_OBJECTS, conjunction, of_object
from toolferry.judging.assertions import ASSERTIONS, Fits, always, never, of_types
from toolferry.judging.once import Pass
from toolferry.references import references, resolve, strays

T = TypeVar("T")
_Schema: TypeAlias = Mapping[str, Any]

#: Keywords that tell what kind of value is meant.
OF_A_KIND: Final = ("type", "const", "enum")


class Compiled:
    """The schemas of one document, each compiled once.

    Args:
        root: The document; checked, and never changed from now on.
        is_integer: What counts as an integer.

    Raises:
        RecursionError: Schemas stand too deep in each other.
    """

    def __init__(self, root: _Schema, is_integer: Fits) -> None:
        #: The document.
        self.root = root
        #: To be entered around each value that is judged.
        self.judging = Pass()
        self._is_integer = is_integer
        self._fits: dict[int, Fits] = {}
        self._known: dict[tuple[Callable[..., Any], int], tuple[Any, Any]] = {}
        self._targets = {reference: resolve(root, reference) for reference in _references(root)}
        led_to = [id(root), *(id(self._targets[reference]) for reference in _references(root))]
        self._led_to_twice = {at for at, count in Counter(led_to).items() if count > 1}
        for target in reversed(self._targets.values()):  # what is referred to stands later, mostly
            self.fits(target)
        self.fits(root)

    def fits(self, schema: Any) -> Fits:
        """Give what says whether a value fits one of the document's schemas."""
        if isinstance(schema, bool):
            return always if schema else never
        known = self._fits.get(id(schema))
        if known is None:
            known = self._fits[id(schema)] = self._compiled(schema)
        return known

    def known(self, find: Callable[[Compiled, Any], T], about: Any) -> T:
        """Give what is found out about a part of the document; once for each."""
        asked = find, id(about)
        known = self._known.get(asked)
        if known is None:  # with the part itself: of one that is gone, another may get the id
            known = self._known[asked] = about, find(self, about)
        found: T = known[1]
        return found

    def keyword(self, keyword: str, schema: _Schema) -> Fits | None:
        """Compile one keyword of a schema; None of one that judges nothing."""
        if keyword == "type":
            return of_types(schema["type"], self._is_integer)
        if keyword in ASSERTIONS:
            return ASSERTIONS[keyword](schema[keyword])
        compile_ = APPLICATORS.get(keyword)
        return None if compile_ is None else compile_(self, schema)

    def target(self, reference: str) -> Any:
        """Give the schema that a reference points to."""
        return self._targets[reference]

    @property
    def remembers(self) -> bool:
        """Whether something of a value is judged once in a pass, which has to be entered."""
        return bool(self._led_to_twice)

    def is_led_to_twice(self, schema: Any) -> bool:
        """Tell whether several references lead to a schema; to the whole, one is enough."""
        return id(schema) in self._led_to_twice

    def reference(self, reference: str) -> Fits:
        """Give what says whether a value fits what a reference points to, perhaps back to it."""
        target = self.target(reference)
        if isinstance(target, bool):
            return self.fits(target)
        if self.is_led_to_twice(target):
            return self._once(id(target))
        return self._fits.get(id(target)) or self._later(id(target))

    def _later(self, target: int) -> Fits:
        """Judge by a schema that is compiled by the time it is asked."""
        compiled = self._fits

        def fits(value: Any) -> bool:
            return compiled[target](value)

        return fits

    def _once(self, target: int) -> Fits:
        """Judge each value of a pass once: many alternatives may lead to one schema."""
        compiled, judging = self._fits, self.judging

        def fits(value: Any) -> bool:
            found, asked = judging.found, (target, id(value))
            if asked not in found:
                found[asked] = compiled[target](value)
            fitting: bool = found[asked]
            return fitting

        return fits

    def _compiled(self, schema: _Schema) -> Fits:
        checks: list[Fits] = []
        if not OF_OBJECTS.isdisjoint(schema):
            checks.append(of_object(self, schema))
        others = (self.keyword(one, schema) for one in schema if one not in OF_OBJECTS)
        return conjunction([*checks, *(check for check in others if check is not None)])


def _references(root: _Schema) -> Iterator[str]:
    for part in [root, *(stray for _, stray in strays(root))]:
        yield from (reference for _, reference in references(part))
