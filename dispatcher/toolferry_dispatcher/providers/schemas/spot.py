"""Where a rewriting stands, and the sheet on which it writes down what it loses."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from toolferry import ToolInvalid
from toolferry.references import resolve
from toolferry.subschemas import Place, pointer, walk
from toolferry_dispatcher.providers.schemas.loss import Change, Loss
from toolferry_dispatcher.providers.schemas.rules import Schema, SchemaRules

#: Schemas by which a wire copy may be larger than its original, before its inside is left open:
#: 50 definitions that each refer twice to the next would be more than there are atoms.
MAX_GROWTH: Final = 1000


class Draft:
    """One wire copy in the making.

    Args:
        tool: The tool's name.
        root: Its schema; never changed.
        rules: What is made of it.
    """

    def __init__(self, tool: str, root: Mapping[str, Any], rules: SchemaRules) -> None:
        self.tool = tool
        self.root = root
        self.rules = rules
        #: What the copy does not say as the original does.
        self.losses: list[Loss] = []
        #: Why the copy would forbid what the tool takes, so that it must not be strict.
        self.obstacles: list[Loss] = []
        self._parts = 0
        self._most = MAX_GROWTH
        self._is_measured = False
        #: What is referred to and is still to be rewritten, by its name under `$defs`.
        self.wanted: dict[str, Any] = {}
        self._names: dict[str, str] = {}

    def count_part(self) -> None:
        """Count one more schema that was looked at for the copy."""
        self._parts += 1

    @property
    def is_full(self) -> bool:
        """Whether the copy has grown too large."""
        if self._parts >= self._most and not self._is_measured:
            self._most += 2 * sum(1 for _ in walk(self.root))
            self._is_measured = True
        return self._parts >= self._most

    def name_of(self, reference: str) -> str:
        """Give the name under `$defs` of what is referred to, and see to it that it gets there."""
        if reference not in self._names:
            name = self._free_name(reference)
            self._names[reference] = name
            self.wanted[name] = self.resolve(reference)
        return self._names[reference]

    def resolve(self, reference: str) -> Any:
        """Give what a reference points to.

        Raises:
            ToolInvalid: It points to nothing.
        """
        try:
            return resolve(self.root, reference)
        except LookupError as error:
            reason = f"its schema refers to {reference}, and there is nothing"
            raise ToolInvalid(self.tool, reason) from error

    def _free_name(self, reference: str) -> str:
        last = reference.rpartition("/")[2].lstrip("#")
        stem = (
            "".join(sign if sign.isascii() and sign.isalnum() else "_" for sign in last) or "Part"
        )
        taken = self._names.values()
        names = (stem, *(f"{stem}_{number}" for number in range(2, len(self._names) + 3)))
        return next(name for name in names if name not in taken)


class Spot:
    """One schema of a document while it is rewritten.

    Args:
        draft: The copy that it belongs to.
        place: Where it stands in the copy.
        followed: The references that were written out on the way to it.
    """

    def __init__(self, draft: Draft, place: Place, followed: tuple[str, ...]) -> None:
        self.draft = draft
        self.rules = draft.rules
        self.place = place
        self.followed = followed

    @property
    def is_root(self) -> bool:
        """Whether it is the schema of the arguments themselves."""
        return not self.place

    def lost(self, keyword: str, what: Change, detail: str, *inner: str) -> None:
        """Write down that a keyword got lost here, or at the keys that lead on from here."""
        self.draft.losses.append(self._loss(keyword, what, detail, inner))

    def narrowed(self, keyword: str, detail: str, *inner: str) -> None:
        """Write down that the copy would forbid what the tool takes."""
        loss = self._loss(keyword, Change.REWRITTEN, detail, inner)
        self.draft.losses.append(loss)
        self.draft.obstacles.append(loss)

    def may_follow(self, reference: str) -> bool:
        """Whether a reference may be written out here."""
        return self.followed.count(reference) < self.rules.unrolled and not self.draft.is_full

    def follow(self, reference: str) -> Schema:
        """Give the schema that a reference points to; everything below is inside of it."""
        self.followed = (*self.followed, reference)
        target = self.draft.resolve(reference)
        return dict(target) if isinstance(target, Mapping) else {}

    def invalid(self, reason: str) -> ToolInvalid:
        """Give the error that the tool has no wire copy at all."""
        return ToolInvalid(self.draft.tool, f"its schema at {pointer(self.place)} {reason}")

    def _loss(self, keyword: str, what: Change, detail: str, inner: tuple[str, ...]) -> Loss:
        return Loss(self.draft.tool, pointer((*self.place, *inner)), keyword, what, detail)
