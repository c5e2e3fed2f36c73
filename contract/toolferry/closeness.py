"""Names that look like another one, found quickly: a model may make up a thousand in one response.

Two names are alike when they share many pairs of neighbouring letters. Which names have a pair is
written down once for a list of names. Pairs that few of them have tell the most, so those are
looked up first, and no more than some: what a name costs does not grow with the list.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Final

#: Names that are given at the most.
MOST_CLOSE: Final = 3
#: The share of pairs that names have in common from which on they are alike.
_ALIKE: Final = 0.5
#: Names that are met by way of their pairs, and those of them that are compared.
_MOST_MET: Final = 512
_MOST_COMPARED: Final = 8


class NearNames:
    """A list of names, by their pairs of letters. Case, dots and dashes do not count.

    Args:
        names: Any of them; of those that are written alike, the last is found.
    """

    def __init__(self, names: Sequence[str]) -> None:
        self._names = {_plain(name): name for name in names}
        self._pairs = {plain: _pairs_of(plain) for plain in self._names}
        having = defaultdict(list)
        for plain, pairs in self._pairs.items():
            for pair in pairs:
                having[pair].append(plain)
        self._having = dict(having)

    def to(self, name: str) -> tuple[str, ...]:
        """Give up to three that look like a name, the likeliest first."""
        plain = _plain(name)
        pairs = _pairs_of(plain)
        shares = [(self._share(pairs, other), other) for other in self._met(pairs)]
        alike = sorted((one for one in shares if one[0] >= _ALIKE), reverse=True)
        return tuple(self._names[other] for _, other in alike[:MOST_CLOSE])

    def _met(self, pairs: frozenset[str]) -> list[str]:
        """Give the names that have the rarest of these pairs, the most of them first."""
        known = sorted((self._having[pair] for pair in pairs if pair in self._having), key=len)
        met: Counter[str] = Counter()
        room = _MOST_MET
        for having in known:
            met.update(having[:room])
            room -= len(having)
            if room <= 0:
                break
        return [plain for plain, _ in met.most_common(_MOST_COMPARED)]

    def _share(self, pairs: frozenset[str], plain: str) -> float:
        others = self._pairs[plain]
        return 2 * len(pairs & others) / (len(pairs) + len(others))


@lru_cache(maxsize=16)
def near_names(names: tuple[str, ...]) -> NearNames:
    """Give a list of names by their pairs, made once for each list."""
    return NearNames(names)


def _plain(name: str) -> str:
    return name.lower().replace("-", "_").replace(".", "_")


def _pairs_of(plain: str) -> frozenset[str]:
    # Its first and its last letter are pairs with what is around a name.
    return frozenset(map("".join, pairwise(f"^{plain}$")))
