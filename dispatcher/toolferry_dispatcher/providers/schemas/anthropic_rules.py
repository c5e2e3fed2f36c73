"""What Anthropic takes of schemas, plain and strict; Bedrock takes the same."""

from __future__ import annotations

import re
from typing import Final

from toolferry_dispatcher.providers.schemas import arrays, composition, keywords, members
from toolferry_dispatcher.providers.schemas.plain_rules import PLAIN, TIDY
from toolferry_dispatcher.providers.schemas.references import keep_bare_references
from toolferry_dispatcher.providers.schemas.rules import SchemaRules

#: As `PLAIN`; names of members by the API's error text. Source: "Property keys should match
#: pattern", HTTP 400 of the Messages API.
ANTHROPIC_PLAIN: Final = SchemaRules(
    rewritings=(members.legal_values, *PLAIN.rewritings, members.legal_members),
    members=re.compile(r"[a-zA-Z0-9_.-]{1,64}"),
)

#: Source: lib/_parse/_transform.py of `anthropic` 2.14, and the guide "Structured outputs",
#: "JSON Schema limitations". Bedrock names the same in its guide "structured-output".
ANTHROPIC_STRICT: Final = SchemaRules(
    rewritings=(
        composition.plain_root,
        composition.unwrap_single,
        members.legal_values,
        keep_bare_references,
        *TIDY,
        arrays.complete_items,
        arrays.few_items,
        keywords.known_keywords,
        keywords.typed,
        members.legal_members,
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
    members=ANTHROPIC_PLAIN.members,
    recursion=False,
)
