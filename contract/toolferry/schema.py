"""The check of a tool's schema: what cannot be enforced is refused when the tool is registered."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, Final

from jsonschema import Draft202012Validator
from jsonschema.exceptions import best_match

from toolferry.depth import is_deeper
from toolferry.errors import SchemaInvalid
from toolferry.formats import FORMAT_CHECKER
from toolferry.references import endless, references, resolve, strays
from toolferry.subschemas import Place, pointer, walk
from toolferry.wording import shortened

#: Said of a schema that takes more steps than Python goes deep.
TOO_NESTED: Final = "its schemas stand too deep in each other"
#: Levels of a schema document; each level of arguments takes two or three of them.
MAX_SCHEMA_DEPTH: Final = 200

_META: Final = Draft202012Validator(Draft202012Validator.META_SCHEMA, format_checker=FORMAT_CHECKER)


def copy_schema(tool: str, schema: Mapping[str, Any]) -> dict[str, Any]:
    """Give a deep copy of a schema as plain JSON data, so that nobody can change it later.

    Raises:
        SchemaInvalid: It is no JSON data, is no object, or goes too deep.
    """
    try:
        copied = json.loads(json.dumps(schema, allow_nan=False))
    except (TypeError, ValueError, RecursionError) as error:
        raise SchemaInvalid(tool, f"the schema is no JSON data: {error}") from error
    if not isinstance(copied, dict):
        raise SchemaInvalid(tool, "the schema at # must be an object schema")
    if is_deeper(copied, MAX_SCHEMA_DEPTH):
        raise SchemaInvalid(tool, f"the schema is more than {MAX_SCHEMA_DEPTH} levels deep")
    return copied


def check_schema(tool: str, schema: Mapping[str, Any]) -> None:
    """Require a schema that every call of a tool can be checked with.

    It must follow JSON Schema 2020-12, whatever its `$schema` says, admit objects, and refer only
    to itself. Nothing is ever fetched.

    Raises:
        SchemaInvalid: It cannot be enforced; names the path of the first fault.
    """
    for reason in schema_faults(schema):
        raise SchemaInvalid(tool, reason)
    if not admits_objects(schema, schema):
        reason = "the schema at # must be an object schema: arguments are always an object"
        raise SchemaInvalid(tool, reason)


def schema_faults(schema: Mapping[str, Any]) -> Iterator[str]:
    """Say why a schema cannot be enforced, each reason with its path; nothing when it can be."""
    faults = [*_of_a_part(schema, schema, "#")]
    for reference, part in strays(schema):
        faults += _of_a_part(schema, part, reference)
    yield from faults
    loop = None if faults else endless(schema)
    if loop:
        yield f"the schema at {loop} never ends: it leads to itself, or through too many others"


def _of_a_part(root: Mapping[str, Any], part: Mapping[str, Any], at: str) -> Iterator[str]:
    """Say what is wrong with a part of a schema, and with all that stands in it."""
    error = best_match(_META.iter_errors(part))
    if error is not None:
        place = _in(at, tuple(error.absolute_path))
        yield f"the schema at {place} is no JSON Schema (2020-12): {shortened(error.message, 200)}"
    for way, inner in walk(part):
        if "$id" in inner and inner is not root:
            yield f"the schema at {_in(at, way)} has an $id of its own: leave it out"
    for way, reference in references(part):
        wrong = _wrong_target(root, reference)
        if wrong:
            yield f"the reference at {_in(at, way)} {wrong} ({reference})"


def _in(at: str, place: Place) -> str:
    return at + pointer(place).removeprefix("#")


def _wrong_target(schema: Mapping[str, Any], reference: str) -> str | None:
    if not reference.startswith("#"):
        return "leaves the schema, and nothing is ever fetched"
    try:
        target = resolve(schema, reference)
    except LookupError:
        return "points to nothing"
    return None if isinstance(target, dict | bool) else "points to no schema"


def admits_objects(root: Mapping[str, Any], schema: Any) -> bool:
    """Say whether a schema without endless references is meant for objects.

    >>> admits_objects({}, {"oneOf": [{"type": "object"}, {"type": "object"}]})
    True
    >>> admits_objects({}, {"type": "array"})
    False
    """
    if not isinstance(schema, Mapping):
        return schema is True
    if "type" in schema and schema["type"] not in ("object", ["object"]):
        return False
    if "$ref" in schema and not admits_objects(root, resolve(root, schema["$ref"])):
        return False
    return all(
        any(admits_objects(root, branch) for branch in schema[keyword])
        for keyword in ("anyOf", "oneOf")
        if keyword in schema
    )
