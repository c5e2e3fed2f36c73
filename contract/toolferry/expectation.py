"""What a schema wants, in a few words that a model can act on."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Final

from toolferry.formats import FORMAT_EXAMPLES
from toolferry.references import resolve
from toolferry.wording import shortened, value_text

#: Characters of what a schema wants; an enumeration longer than this is cut.
MAX_EXPECTED: Final = 240
#: How far alternatives, elements and references are followed; deeper detail does not help.
_MAX_LEVELS: Final = 3
_UNTOLD: Final = "a fitting value"
#: Alternatives that are written of at all: many may be written alike, which takes no room.
_MOST_WRITTEN: Final = 300


def expectation(root: Mapping[str, Any], schema: Any, secret: frozenset[int] = frozenset()) -> str:
    """Write what a schema wants.

    Args:
        root: The document in which references are looked up.
        schema: One of its schemas, or a boolean one.
        secret: The ids of schemas whose values are not told.

    >>> expectation({}, {"type": "integer", "minimum": 1, "maximum": 10})
    'integer from 1 to 10'
    >>> expectation({}, {"anyOf": [{"type": "string", "format": "date"}, {"type": "null"}]})
    'date such as 2025-11-29 or null'
    """
    return shortened(_Writer(root, secret).text(schema), MAX_EXPECTED)


@dataclass(frozen=True, slots=True)
class _Writer:
    root: Mapping[str, Any]
    secret: frozenset[int]
    level: int = 0
    #: Gives one for each alternative that may still be written of.
    left: Iterator[int] = field(default_factory=lambda: iter(range(_MOST_WRITTEN)))

    def text(self, schema: Any) -> str:
        if not isinstance(schema, Mapping):
            return "anything" if schema else "nothing"
        schema = self.discreet(schema)
        if (listed := _listed(schema)) is not None:
            return _one_of(listed)
        kinds = " or ".join(self.of_kind(kind, schema) for kind in _kinds(schema))
        if kinds and "not" in schema:
            return f"{kinds} but not {self.deeper(schema['not'])}"
        return kinds or self.composed(schema)

    def discreet(self, schema: Mapping[str, Any]) -> Mapping[str, Any]:
        """Give a schema without the values of secrets: its own, and those of its members."""
        plain: Mapping[str, Any] = self.without_values(schema)
        if not self.secret or "properties" not in schema:
            return plain
        members = schema["properties"].items()
        return {**plain, "properties": {name: self.without_values(one) for name, one in members}}

    def without_values(self, schema: Any) -> Any:
        if id(schema) not in self.secret:
            return schema
        return {word: value for word, value in schema.items() if word not in ("const", "enum")}

    def deeper(self, schema: Any) -> str:
        if self.level >= _MAX_LEVELS:
            return _UNTOLD
        return _Writer(self.root, self.secret, self.level + 1, self.left).text(schema)

    def composed(self, schema: Mapping[str, Any]) -> str:
        for key in ("$ref", "$dynamicRef"):
            if key in schema:
                return self.deeper(resolve(self.root, schema[key]))
        for keyword in ("anyOf", "oneOf"):
            if keyword in schema:
                possible = [one for one in schema[keyword] if one is not False]
                return self.each(" or ", possible) if possible else "nothing"
        if "allOf" in schema:
            return self.each(" and ", schema["allOf"])
        if "not" in schema:
            return f"anything but {self.deeper(schema['not'])}"
        return "anything" if not schema else "another value"

    def each(self, separator: str, schemas: Iterable[Any]) -> str:
        few = (one for one, _ in zip(schemas, self.left, strict=False))
        return _joined(separator, map(self.deeper, few)) or _UNTOLD

    def of_kind(self, kind: str, schema: Mapping[str, Any]) -> str:
        noun = _string_noun(schema) if kind == "string" else kind
        items = schema.get("items")
        if kind == "array" and isinstance(items, Mapping):
            noun = f"array of {self.deeper(items)}"
        words = [noun, *_WORDS.get(kind, _no_words)(schema)]
        if kind == "array" and "contains" in schema:
            words += [_holds(schema), self.deeper(schema["contains"])]
        return " ".join(words)


def _listed(schema: Mapping[str, Any]) -> Sequence[Any] | None:
    """Give the values that a schema lists itself; None when it lists none."""
    listed: Sequence[Any] | None = [schema["const"]] if "const" in schema else schema.get("enum")
    return listed


def _one_of(values: Sequence[Any]) -> str:
    texts = _joined(", ", map(value_text, values))
    return texts if len(values) == 1 else f"one of {texts}" if texts else "nothing"


def _joined(separator: str, texts: Iterable[str]) -> str:
    """Join texts, none of them twice, until there are more than are told."""
    told: dict[str, None] = {}
    room = MAX_EXPECTED
    for text in texts:
        room -= 0 if text in told else len(text)
        told[text] = None
        if room < 0:
            break
    return separator.join(told)


def _kinds(schema: Mapping[str, Any]) -> list[str]:
    kinds = schema.get("type", [])
    if kinds:
        return [kinds] if isinstance(kinds, str) else list(kinds)
    return [kind for kind, words in _TELLTALES.items() if not words.isdisjoint(schema)][:1]


def _string_noun(schema: Mapping[str, Any]) -> str:
    name = schema.get("format", "")
    return f"{name} such as {FORMAT_EXAMPLES[name]}" if name in FORMAT_EXAMPLES else "string"


def _no_words(_schema: Mapping[str, Any]) -> Iterator[str]:
    return iter(())


def _string_words(schema: Mapping[str, Any]) -> Iterator[str]:
    yield from _count("character", schema.get("minLength"), schema.get("maxLength"))
    if "pattern" in schema:
        yield f"matching {schema['pattern']}"


def _number_words(schema: Mapping[str, Any]) -> Iterator[str]:
    low, high = schema.get("minimum"), schema.get("maximum")
    if low is not None and high is not None:
        yield f"from {low} to {high}"
    elif low is not None:
        yield f"of at least {low}"
    elif high is not None:
        yield f"of at most {high}"
    for keyword, word in _BOUNDS.items():
        if keyword in schema:
            yield f"{word} {schema[keyword]}"


def _array_words(schema: Mapping[str, Any]) -> Iterator[str]:
    yield from _count("element", schema.get("minItems"), schema.get("maxItems"))
    if schema.get("uniqueItems"):
        yield "without repeats"


def _object_words(schema: Mapping[str, Any]) -> Iterator[str]:
    properties = schema.get("properties", {})
    members = (_member(name, properties.get(name)) for name in schema.get("required", ()))
    if told := _joined(", ", members):
        yield f"with {told}"
    yield from _count("member", schema.get("minProperties"), schema.get("maxProperties"))


def _member(name: str, schema: Any) -> str:
    listed = _listed(schema) if isinstance(schema, Mapping) else None
    return f"{name} = {value_text(listed[0])}" if listed and len(listed) == 1 else name


def _holds(schema: Mapping[str, Any]) -> str:
    """Tell how many elements are to be of the kind that is named next."""
    least, most = schema.get("minContains", 1), schema.get("maxContains")
    if most is None:
        return "that holds" if least == 1 else f"of which {least} or more are"
    amount = "exactly" if least >= most else f"{least} to" if least else "at most"
    return f"of which {amount} {most} {'is' if most == 1 else 'are'}"


def _count(noun: str, low: int | None, high: int | None) -> Iterator[str]:
    if low is not None and high is not None:
        yield f"of {low} to {high} {noun}s"
    elif low is not None:
        yield f"of {low} or more {noun}s"
    elif high is not None:
        yield f"of at most {high} {noun}s"


#: Keywords that tell which type is meant where none is named.
_TELLTALES: Final[Mapping[str, frozenset[str]]] = MappingProxyType(
    {
        "object": frozenset({"properties", "required", "minProperties", "maxProperties"}),
        "array": frozenset({"items", "contains", "minItems", "maxItems", "uniqueItems"}),
        "string": frozenset({"format", "pattern", "minLength", "maxLength"}),
        "number": frozenset(
            {"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"}
        ),
    }
)

_BOUNDS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "exclusiveMinimum": "above",
        "exclusiveMaximum": "below",
        "multipleOf": "that is a multiple of",
    }
)

_WORDS: Final[Mapping[str, Callable[[Mapping[str, Any]], Iterator[str]]]] = MappingProxyType(
    {
        "string": _string_words,
        "integer": _number_words,
        "number": _number_words,
        "array": _array_words,
        "object": _object_words,
    }
)
