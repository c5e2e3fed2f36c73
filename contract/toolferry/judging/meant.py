"""Which of several alternatives a value was meant for that fits none of them.

It is the only one that is for values of its kind and that wants no other tag: a member that is to
be another constant. Where all want other tags, it is the only one of its kind.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from toolferry.joint import judging
from toolferry.judging.applicators import conjunction
from toolferry.judging.assertions import Fits
from toolferry.judging.choices import FEWEST, Choice, followed_in
from toolferry.judging.compiled import OF_A_KIND, Compiled


def meant(compiled: Compiled, schemas: list[Any], value: Any) -> Mapping[str, Any] | None:
    """Give the alternative that a value was meant for; None when that is not clear."""
    among = schemas
    if len(schemas) >= FEWEST:
        among = [one.schema for one in compiled.known(Choice, schemas).likely(value)]
    of_its_kind = [one for one in among if compiled.known(_kind, one)(value)]
    likely = [one for one in of_its_kind if compiled.known(_tags, one)(value)] or of_its_kind
    return likely[0] if len(likely) == 1 else None


def _kind(compiled: Compiled, schema: Any) -> Fits:
    """Give what says whether a value is of the kind that a schema is for."""
    checks = [
        fits
        for part in _together(compiled, schema)
        for word in OF_A_KIND
        if word in part and (fits := compiled.keyword(word, part)) is not None
    ]
    return conjunction(checks) if isinstance(schema, Mapping) else compiled.fits(schema)


def _tags(compiled: Compiled, schema: Any) -> Fits:
    """Give what says whether a value has no other tag than a schema wants."""
    tags = [
        (name, compiled.fits(one))
        for part in _together(compiled, schema)
        for name, one in part.get("properties", {}).items()
        if _is_constant(followed_in(compiled, one))
    ]

    def fits(value: Any) -> bool:
        if not isinstance(value, dict):
            return True
        return all(fits(value[name]) for name, fits in tags if name in value)

    return fits


def _together(compiled: Compiled, schema: Any) -> Iterator[Mapping[str, Any]]:
    """Give the schemas that a value has to fit to fit one, itself the first."""
    return judging(compiled.root, [schema], ("allOf",))


def _is_constant(schema: Mapping[str, Any]) -> bool:
    return "const" in schema or len(schema.get("enum", ())) == 1
