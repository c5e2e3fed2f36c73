"""What Cohere takes of schemas in strict mode."""

from __future__ import annotations

from typing import Final

from toolferry_dispatcher.providers.schemas import arrays, composition, enums, keywords
from toolferry_dispatcher.providers.schemas.plain_rules import TIDY
from toolferry_dispatcher.providers.schemas.references import write_out
from toolferry_dispatcher.providers.schemas.rules import SchemaRules

#: Source: the guides "Structured Outputs" and "Parameter types for tool use" of docs.cohere.com.
COHERE_STRICT: Final = SchemaRules(
    rewritings=(
        composition.plain_root,
        write_out,
        *TIDY,
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
