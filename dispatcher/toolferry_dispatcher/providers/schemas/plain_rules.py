"""What servers that take JSON Schema as it is refuse all the same, and what strict modes share."""

from __future__ import annotations

from typing import Final

from toolferry_dispatcher.providers.schemas import arrays, composition, enums, keywords, objects
from toolferry_dispatcher.providers.schemas.references import keep_references
from toolferry_dispatcher.providers.schemas.rules import SchemaRules

#: JSON Schema as it is, but for what OpenAI and its likes refuse: a root that is no plain object,
#: arrays without `items`, objects without `properties`. Cases 21 and 22 of tests/data.
PLAIN: Final = SchemaRules(
    rewritings=(
        composition.plain_root,
        keep_references,
        arrays.complete_items,
        objects.complete_properties,
    )
)

#: What every strict mode goes through first: one object without compositions, no tuples.
TIDY: Final = (
    composition.merge_parts,
    composition.merge_alternatives,
    composition.one_of_as_any_of,
    composition.spread,
    composition.possible_choices,
    composition.plain_choice,
    arrays.tuple_as_list,
    keywords.inferred_type,
    enums.simple_enum,
    enums.fitting_enum,
    enums.typed_enum,
    objects.complete_properties,
    objects.possible_members,
    objects.close,
)
