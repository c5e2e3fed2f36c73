"""What OpenAI takes of schemas in strict mode."""

from __future__ import annotations

from typing import Final

from toolferry_dispatcher.providers.schemas import arrays, composition, keywords, objects
from toolferry_dispatcher.providers.schemas.plain_rules import TIDY
from toolferry_dispatcher.providers.schemas.references import keep_bare_references
from toolferry_dispatcher.providers.schemas.rules import SchemaRules

#: Source: lib/_pydantic.py of `openai` 3.57, and the guide "Structured Outputs", "Supported
#: schemas".
OPENAI_STRICT: Final = SchemaRules(
    rewritings=(
        composition.plain_root,
        composition.unwrap_single,
        keep_bare_references,
        *TIDY,
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
