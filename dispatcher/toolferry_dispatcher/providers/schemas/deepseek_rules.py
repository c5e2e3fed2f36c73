"""What DeepSeek takes of schemas in strict mode."""

from __future__ import annotations

from typing import Final

from toolferry_dispatcher.providers.schemas import (
    arrays,
    composition,
    enums,
    keywords,
    null,
    objects,
)
from toolferry_dispatcher.providers.schemas.plain_rules import TIDY
from toolferry_dispatcher.providers.schemas.references import write_out
from toolferry_dispatcher.providers.schemas.rules import SchemaRules

#: Source: the guide "Tool Calls", "strict mode (Beta)" of api-docs.deepseek.com. References are
#: written out and types named one by one, since others report that less is taken than is said.
DEEPSEEK_STRICT: Final = SchemaRules(
    rewritings=(
        composition.plain_root,
        write_out,
        *TIDY,
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
