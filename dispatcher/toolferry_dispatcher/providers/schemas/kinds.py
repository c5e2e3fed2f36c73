"""The types of a schema, and what each keyword is about."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

#: The type of value that a keyword restricts; it leaves values of other types alone.
ABOUT: Final[Mapping[str, str]] = {
    **dict.fromkeys(("minLength", "maxLength", "pattern", "format"), "string"),
    **dict.fromkeys(
        ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"), "number"
    ),
    **dict.fromkeys(
        (
            "items",
            "prefixItems",
            "minItems",
            "maxItems",
            "uniqueItems",
            "contains",
            "minContains",
            "maxContains",
            "unevaluatedItems",
        ),
        "array",
    ),
    **dict.fromkeys(
        (
            "properties",
            "required",
            "additionalProperties",
            "patternProperties",
            "propertyNames",
            "minProperties",
            "maxProperties",
            "dependentRequired",
            "dependentSchemas",
            "unevaluatedProperties",
        ),
        "object",
    ),
}


def types_of(schema: Mapping[str, Any]) -> tuple[str, ...]:
    """Give the types that a schema names; none when it names none.

    >>> types_of({"type": "string"}), types_of({"type": ["string", "null"]}), types_of({})
    (('string',), ('string', 'null'), ())
    """
    declared = schema.get("type", ())
    return (declared,) if isinstance(declared, str) else tuple(declared)


def type_of(value: Any) -> str:
    """Name the JSON type of a value.

    >>> [type_of(value) for value in (True, 1, 1.5, None, "a", [], {})]
    ['boolean', 'integer', 'number', 'null', 'string', 'array', 'object']
    """
    names = {
        bool: "boolean",
        int: "integer",
        float: "number",
        str: "string",
        list: "array",
        type(None): "null",
    }
    return names.get(type(value), "object")


def fits(value: Any, kinds: tuple[str, ...]) -> bool:
    """Say whether a value is of one of the types; of any when there are none.

    >>> fits(1, ("number",)), fits(1.0, ("integer",)), fits("a", ("integer",))
    (True, True, False)
    """
    kind = type_of(value)
    whole = kind == "number" and float(value).is_integer() and "integer" in kinds
    return not kinds or kind in kinds or whole or (kind == "integer" and "number" in kinds)


def as_type(kinds: tuple[str, ...] | list[str]) -> str | list[str]:
    """Write types as the value of the keyword `type`."""
    return kinds[0] if len(kinds) == 1 else list(kinds)
