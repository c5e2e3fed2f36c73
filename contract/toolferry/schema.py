"""The check of a tool's schema: what cannot be enforced is refused when the tool is registered."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from jsonschema import Draft202012Validator
from jsonschema.exceptions import best_match

from toolferry.depth import is_deeper
from toolferry.errors import SchemaInvalid
from toolferry.formats import FORMAT_CHECKER
from toolferry.fresh_stack import deeply
from toolferry.references import endless, references, resolve, strays
from toolferry.subschemas import BY_NAME, LISTS, SINGLE, Place, pointer, walk
from toolferry.wording import json_text, shortened

#: Said of a schema that takes more steps than Python goes deep.
TOO_NESTED: Final = "its schemas stand too deep in each other"
#: Levels of a schema document; each level of arguments takes two or three of them.
MAX_SCHEMA_DEPTH: Final = 200

#: Characters of a reference that are repeated.
_MAX_TOLD: Final = 200
#: Keywords whose values may hold schemas by name; the last is an older one, and judges nothing.
_BY_NAME: Final = BY_NAME | {"dependencies"}
_META: Final = Draft202012Validator(Draft202012Validator.META_SCHEMA, format_checker=FORMAT_CHECKER)


def copy_schema(tool: str, schema: Mapping[str, Any]) -> dict[str, Any]:
    """Give a deep copy of a schema as plain JSON data, so that nobody can change it later.

    Raises:
        SchemaInvalid: It is no JSON data that UTF-8 can hold, is no object, or goes too deep.
    """
    try:
        copied = deeply(lambda: json.loads(json.dumps(schema, allow_nan=False)))
        deeply(lambda: json_text(copied)).encode()
    except UnicodeEncodeError as error:
        reason = "the schema holds half of a character (a lone surrogate), which UTF-8 cannot"
        raise SchemaInvalid(tool, reason) from error
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
    if not deeply(lambda: admits_objects(schema, schema)):
        reason = "the schema at # must be an object schema: arguments are always an object"
        raise SchemaInvalid(tool, reason)


def schema_faults(schema: Mapping[str, Any]) -> tuple[str, ...]:
    """Say why a schema cannot be enforced, each reason with its path; nothing when it can be."""
    return deeply(lambda: tuple(_faults(schema)))


def _faults(schema: Mapping[str, Any]) -> Iterator[str]:
    faults = [*_of_a_part(schema, schema, "#")]
    for reference, part in strays(schema):
        faults += _of_a_part(schema, part, reference)
    yield from faults
    loop = None if faults else endless(schema)
    if loop:
        yield f"the schema at {loop} never ends: it leads to itself, or through too many others"


def _of_a_part(root: Mapping[str, Any], part: Mapping[str, Any], at: str) -> Iterator[str]:
    """Say what is wrong with a part of a schema, and with all that stands in it."""
    malformed = _malformed(part)
    if malformed is not None:
        place, message = malformed
        told = shortened(message, _MAX_TOLD)
        yield f"the schema at {_in(at, place)} is no JSON Schema (2020-12): {told}"
    for way, inner in walk(part):
        if "$id" in inner and inner is not root:
            yield f"the schema at {_in(at, way)} has an $id of its own: leave it out"
    for way, reference in references(part):
        wrong = _wrong_target(root, reference)
        if wrong:
            told = shortened(reference, _MAX_TOLD)
            yield f"the reference at {_in(at, way)} {wrong} ({told})"


def _malformed(part: Mapping[str, Any]) -> tuple[Place, str] | None:
    """Say what is worst in a schema that is none, with its place."""
    try:
        return _worst([((), part)])
    except RecursionError:  # jsonschema takes ten steps of Python's stack for each level
        return _worst((way, _alone(schema)) for way, schema in walk(part))


def _worst(schemas: Iterable[tuple[Place, Mapping[str, Any]]]) -> tuple[Place, str] | None:
    judged = ((way, best_match(_META.iter_errors(schema))) for way, schema in schemas)
    found = [((*way, *one.absolute_path), one.message) for way, one in judged if one is not None]
    return min(found, key=lambda one: len(one[0]), default=None)


def _alone(schema: Mapping[str, Any]) -> dict[str, Any]:
    """Give a schema without those inside of it."""
    return {word: _emptied(word, value) for word, value in schema.items()}


def _emptied(word: str, value: Any) -> Any:
    if word in _BY_NAME and isinstance(value, Mapping):
        return {name: _stub(one) for name, one in value.items()}
    if word in LISTS and isinstance(value, list):
        return [_stub(one) for one in value]
    return _stub(value) if word in SINGLE else value


def _stub(schema: Any) -> Any:
    return True if isinstance(schema, dict) else schema


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
    return _admits(root, schema, {})


def _admits(root: Mapping[str, Any], schema: Any, known: dict[int, bool]) -> bool:
    if not isinstance(schema, Mapping):
        return schema is True
    if id(schema) not in known:
        known[id(schema)] = _is_of_objects(schema) and all(
            any(_admits(root, other, known) for other in others)
            for others in _alternatives(root, schema)
        )
    return known[id(schema)]


def _is_of_objects(schema: Mapping[str, Any]) -> bool:
    return schema.get("type", "object") in ("object", ["object"])


def _alternatives(root: Mapping[str, Any], schema: Mapping[str, Any]) -> Iterator[list[Any]]:
    """Give the schemas of which one must admit an object, several times."""
    for key in ("$ref", "$dynamicRef"):
        if key in schema:
            yield [resolve(root, schema[key])]
    yield from (schema[keyword] for keyword in ("anyOf", "oneOf") if keyword in schema)
