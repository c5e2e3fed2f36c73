"""What Gemini takes of schemas: under `parameters`, and under `parameters_json_schema`."""

from __future__ import annotations

import re
from typing import Final

from toolferry_dispatcher.providers.schemas import (
    arrays,
    composition,
    enums,
    keywords,
    members,
    null,
    objects,
)
from toolferry_dispatcher.providers.schemas.references import keep_bare_references, write_out
from toolferry_dispatcher.providers.schemas.rules import SchemaRules

#: Levels to which a schema that refers to itself is written out where no references are known.
_UNROLLED: Final = 3

#: Source: the class Schema in types.py of `google-genai` 3.6, less what the API refuses although
#: the class has it: references and additionalProperties, enums of anything but texts, and
#: anything beside `anyOf`. Cases 16, 19 and 20 of tests/data.
GEMINI: Final = SchemaRules(
    rewritings=(
        composition.plain_root,
        write_out,
        composition.merge_parts,
        composition.merge_alternatives,
        composition.one_of_as_any_of,
        enums.distinct_choices,
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
        objects.complete_properties,
        objects.possible_members,
        objects.only_named,
        arrays.text_items,
        members.legal_values,
        keywords.known_keywords,
        keywords.text_where_untyped,
        keywords.about_its_type,
        members.legal_members,
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
GEMINI_JSON: Final = SchemaRules(
    rewritings=(
        composition.plain_root,
        composition.unwrap_single,
        members.legal_values,
        keep_bare_references,
        composition.merge_parts,
        composition.merge_alternatives,
        composition.one_of_as_any_of,
        composition.possible_choices,
        composition.plain_choice,
        keywords.inferred_type,
        enums.const_as_enum,
        enums.simple_enum,
        enums.typed_enum,
        enums.countable_enum,
        keywords.whole_bounds,
        objects.complete_properties,
        objects.possible_members,
        arrays.complete_items,
        keywords.known_keywords,
        members.legal_members,
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
    members=GEMINI.members,
)
