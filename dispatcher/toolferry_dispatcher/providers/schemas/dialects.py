"""How each provider wants schemas: its rules, as data.

Sources, each named at its rules: the official SDKs' own conversions and types, and the providers'
guides. Where these differ, the smaller set is taken.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from toolferry import ConfigurationError
from toolferry_dispatcher.providers.schemas import (
    arrays,
    composition,
    enums,
    keywords,
    null,
    objects,
)
from toolferry_dispatcher.providers.schemas.references import (
    keep_bare_references,
    keep_references,
    write_out,
)
from toolferry_dispatcher.providers.schemas.rules import Dialect, RequestLimits, SchemaRules

#: Levels to which a schema that refers to itself is written out where no references are known.
_UNROLLED: Final = 3

#: JSON Schema as it is, but for what OpenAI and its likes refuse: a root that is no plain object,
#: arrays without `items`, objects without `properties`. Cases 21 and 22 of tests/data.
_PLAIN: Final = SchemaRules(
    rewritings=(
        composition.plain_root,
        keep_references,
        arrays.complete_items,
        objects.complete_properties,
    )
)
#: As `_PLAIN`; names of members by the API's error text. Source: "Property keys should match
#: pattern", HTTP 400 of the Messages API.
_ANTHROPIC_PLAIN: Final = SchemaRules(
    rewritings=(*_PLAIN.rewritings, keywords.legal_members),
    members=re.compile(r"[a-zA-Z0-9_.-]{1,64}"),
)

#: What every strict mode goes through first: one object without compositions, no tuples.
_TIDY: Final = (
    composition.merge_parts,
    composition.merge_alternatives,
    composition.one_of_as_any_of,
    composition.spread,
    composition.possible_choices,
    arrays.tuple_as_list,
    keywords.inferred_type,
    enums.simple_enum,
    enums.fitting_enum,
    enums.typed_enum,
    objects.possible_members,
    objects.complete_properties,
    objects.close,
)

#: Source: lib/_pydantic.py of `openai` 3.57, and the guide "Structured Outputs", "Supported
#: schemas".
_OPENAI_STRICT: Final = SchemaRules(
    rewritings=(
        composition.plain_root,
        composition.unwrap_single,
        keep_bare_references,
        *_TIDY,
        objects.require_all,
        arrays.complete_items,
        keywords.simple_patterns,
        keywords.known_keywords,
        keywords.typed,
    ),
    keywords=frozenset(
        {
            "$ref",
            "additionalProperties",
            "anyOf",
            "const",
            "description",
            "enum",
            "exclusiveMaximum",
            "exclusiveMinimum",
            "format",
            "items",
            "maxItems",
            "maximum",
            "minItems",
            "minimum",
            "multipleOf",
            "pattern",
            "properties",
            "required",
            "title",
            "type",
        }
    ),
    formats=frozenset(
        {
            "date",
            "date-time",
            "duration",
            "email",
            "hostname",
            "ipv4",
            "ipv6",
            "time",
            "uuid",
        }
    ),
    depth=10,
    properties=5000,
    enum_values=1000,
)

#: Source: lib/_parse/_transform.py of `anthropic` 2.14, and the guide "Structured outputs",
#: "JSON Schema limitations". Bedrock names the same in its guide "structured-output".
_ANTHROPIC_STRICT: Final = SchemaRules(
    rewritings=(
        composition.plain_root,
        composition.unwrap_single,
        keep_bare_references,
        *_TIDY,
        arrays.complete_items,
        arrays.few_items,
        keywords.known_keywords,
        keywords.typed,
        keywords.legal_members,
    ),
    keywords=frozenset(
        {
            "$ref",
            "additionalProperties",
            "anyOf",
            "const",
            "description",
            "enum",
            "format",
            "items",
            "minItems",
            "properties",
            "required",
            "title",
            "type",
        }
    ),
    formats=frozenset(
        {
            "date",
            "date-time",
            "duration",
            "email",
            "hostname",
            "ipv4",
            "ipv6",
            "time",
            "uri",
            "uuid",
        }
    ),
    members=_ANTHROPIC_PLAIN.members,
    recursion=False,
)

#: Source: the guide "Tool Calls", "strict mode (Beta)" of api-docs.deepseek.com. References are
#: written out and types named one by one, since others report that less is taken than is said.
_DEEPSEEK_STRICT: Final = SchemaRules(
    rewritings=(
        composition.plain_root,
        write_out,
        *_TIDY,
        enums.const_as_enum,
        objects.filled,
        objects.require_all,
        arrays.complete_items,
        keywords.simple_patterns,
        keywords.known_keywords,
        keywords.typed,
        null.split_types,
    ),
    keywords=frozenset(
        {
            "additionalProperties",
            "anyOf",
            "description",
            "enum",
            "exclusiveMaximum",
            "exclusiveMinimum",
            "format",
            "items",
            "maximum",
            "minimum",
            "multipleOf",
            "pattern",
            "properties",
            "required",
            "type",
        }
    ),
    formats=frozenset({"email", "hostname", "ipv4", "ipv6", "uuid"}),
    recursion=False,
)

#: Source: the class Schema in types.py of `google-genai` 3.6, less what the API refuses although
#: the class has it: references and additionalProperties, enums of anything but texts, and
#: anything beside `anyOf`. Cases 16, 19 and 20 of tests/data.
_GEMINI: Final = SchemaRules(
    rewritings=(
        composition.plain_root,
        write_out,
        composition.merge_parts,
        composition.merge_alternatives,
        composition.one_of_as_any_of,
        arrays.tuple_as_list,
        keywords.inferred_type,
        enums.const_as_enum,
        enums.simple_enum,
        enums.fitting_enum,
        null.nullable_flag,
        null.split_types,
        enums.text_enum,
        composition.spread_all,
        composition.possible_choices,
        keywords.whole_bounds,
        keywords.one_example,
        objects.possible_members,
        objects.complete_properties,
        arrays.text_items,
        keywords.known_keywords,
        keywords.text_where_untyped,
        keywords.legal_members,
    ),
    finishings=(composition.without_single_choice,),
    keywords=frozenset(
        {
            "anyOf",
            "default",
            "description",
            "enum",
            "example",
            "format",
            "items",
            "maxItems",
            "maxLength",
            "maxProperties",
            "maximum",
            "minItems",
            "minLength",
            "minProperties",
            "minimum",
            "nullable",
            "pattern",
            "properties",
            "required",
            "type",
        }
    ),
    formats=frozenset({"date-time", "double", "float", "int32", "int64"}),
    members=re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,63}"),
    unrolled=_UNROLLED,
)

#: Source: the description of `response_json_schema` in types.py of `google-genai` 3.6, which is
#: the same subset.
_GEMINI_JSON: Final = SchemaRules(
    rewritings=(
        composition.plain_root,
        composition.unwrap_single,
        keep_bare_references,
        composition.merge_parts,
        composition.merge_alternatives,
        composition.one_of_as_any_of,
        composition.possible_choices,
        keywords.inferred_type,
        enums.const_as_enum,
        enums.simple_enum,
        enums.typed_enum,
        keywords.whole_bounds,
        objects.possible_members,
        objects.complete_properties,
        arrays.complete_items,
        keywords.known_keywords,
        keywords.legal_members,
    ),
    keywords=frozenset(
        {
            "$ref",
            "additionalProperties",
            "anyOf",
            "description",
            "enum",
            "format",
            "items",
            "maxItems",
            "maximum",
            "minItems",
            "minimum",
            "prefixItems",
            "properties",
            "required",
            "title",
            "type",
        }
    ),
    members=_GEMINI.members,
)

#: Source: the guides "Structured Outputs" and "Parameter types for tool use" of docs.cohere.com.
_COHERE_STRICT: Final = SchemaRules(
    rewritings=(
        composition.plain_root,
        write_out,
        *_TIDY,
        enums.const_as_enum,
        arrays.complete_items,
        keywords.known_keywords,
        keywords.typed,
    ),
    keywords=frozenset(
        {
            "additionalProperties",
            "anyOf",
            "description",
            "enum",
            "format",
            "items",
            "properties",
            "required",
            "title",
            "type",
        }
    ),
    formats=frozenset({"date", "date-time", "time", "uuid"}),
    recursion=False,
    needs_required=True,
)

_OPENAI: Final = Dialect(_PLAIN, _OPENAI_STRICT)
_ANTHROPIC_LIMITS: Final = RequestLimits(tools=20, optional=24, unions=16)
#: Gemini has no flag for a tool: the mode VALIDATED holds all of them to their schemas.
_VALIDATED: Final = MappingProxyType(
    {"tool_config": {"function_calling_config": {"mode": "VALIDATED"}}}
)

#: By the name of the provider. Gemini has two: one for `parameters`, one for
#: `parameters_json_schema`.
DIALECTS: Final[Mapping[str, Dialect]] = MappingProxyType(
    {
        "openai-chat": _OPENAI,
        "openai-responses": _OPENAI,
        "anthropic": Dialect(_ANTHROPIC_PLAIN, _ANTHROPIC_STRICT, _ANTHROPIC_LIMITS),
        "bedrock-converse": Dialect(_ANTHROPIC_PLAIN, _ANTHROPIC_STRICT, _ANTHROPIC_LIMITS),
        "deepseek": Dialect(_PLAIN, _DEEPSEEK_STRICT, RequestLimits(all_or_none=True)),
        "gemini": Dialect(_GEMINI, _GEMINI, RequestLimits(all_or_none=True), _VALIDATED),
        "gemini-json-schema": Dialect(
            _GEMINI_JSON, _GEMINI_JSON, RequestLimits(all_or_none=True), _VALIDATED
        ),
        "cohere-v2": Dialect(
            _PLAIN,
            _COHERE_STRICT,
            RequestLimits(properties=200, all_or_none=True),
            MappingProxyType({"strict_tools": True}),
        ),
    }
)


def dialect(name: str) -> Dialect:
    """Give the dialect of a provider.

    Raises:
        ConfigurationError: There is none of that name; the reason lists those there are.
    """
    found = DIALECTS.get(name)
    if found is None:
        known = ", ".join(sorted(DIALECTS))
        raise ConfigurationError("dialect", f"{name!r} is not known; the known ones are {known}")
    return found
