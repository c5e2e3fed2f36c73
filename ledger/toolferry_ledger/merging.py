"""Merging: what a person has edited, with what the person could not see as it was.

1. A value that stands where it stood, as it was shown, is one that the person has left alone: it is
   taken from the call. Objects are compared member by member, lists of one length place by place.
2. An argument of which nothing was shown may be left out too: nobody writes what they cannot see.
3. A text of which a part was hidden is left alone as a whole, or written anew as a whole. Where a
   placeholder stands in another text nobody knows what was meant, and the edit is refused.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from toolferry.template import NOT_SHOWN
from toolferry.wording import json_text
from toolferry_policies import HIDDEN

#: As edited, as shown, as given.
_SIDES: Final = 3


def merge(
    edited: Mapping[str, Any], shown: Mapping[str, Any], given: Mapping[str, Any]
) -> dict[str, Any]:
    """Give the arguments that a person wants.

    Args:
        edited: All arguments as the person wrote them.
        shown: Those of the call as they were shown to the person.
        given: Those of the call as they are.

    >>> shown, given = {"to": "bob", "pin": "…"}, {"to": "bob", "pin": "4711"}
    >>> merge({"to": "eve", "pin": "…"}, shown, given)
    {'to': 'eve', 'pin': '4711'}
    >>> merge({"to": "eve"}, shown, given)
    {'to': 'eve', 'pin': '4711'}
    >>> merge({"to": "eve", "pin": "0815"}, shown, given)
    {'to': 'eve', 'pin': '0815'}
    """
    unseen = {name: given[name] for name, value in shown.items() if value == NOT_SHOWN}
    merged: dict[str, Any] = _merged(edited, shown, given)
    return {**merged, **{name: unseen[name] for name in unseen.keys() - edited.keys()}}


def gaps(wanted: Mapping[str, Any], given: Mapping[str, Any]) -> list[str]:
    """Name the arguments in which a placeholder stands in place of a secret.

    Args:
        wanted: The arguments that a person wants, merged.
        given: Those of the call as they are.

    >>> gaps({"to": "Bob at [redacted]"}, {"to": "bob at k-0815"})
    ['to']
    """
    return [name for name, value in wanted.items() if _is_gap(value, given.get(name))]


def _merged(edited: Any, shown: Any, given: Any) -> Any:
    if edited == shown:
        return given
    if isinstance(edited, Mapping) and isinstance(shown, Mapping) and isinstance(given, Mapping):
        known = shown.keys() & given.keys()
        return {
            name: _merged(value, shown[name], given[name]) if name in known else value
            for name, value in edited.items()
        }
    lists = [one for one in (edited, shown, given) if isinstance(one, list)]
    if len(lists) == _SIDES and len(edited) == len(shown) == len(given):
        return [_merged(*three) for three in zip(edited, shown, given, strict=True)]
    return edited


def _is_gap(wanted: Any, given: Any) -> bool:
    if wanted == given:
        return False
    return wanted == NOT_SHOWN or (HIDDEN in json_text(wanted) and HIDDEN not in json_text(given))
