"""The table of all rules, in the order of their codes."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from toolferry.linting.rule import Rule
from toolferry.linting.rules import (
    catch_all,
    description_limitless,
    description_missing,
    description_occasionless,
    description_thin,
    effect_understated,
    enum_in_words,
    example_unfit,
    format_in_words,
    identity_parameter,
    list_unbounded,
    name_bare,
    name_generic,
    name_verbless,
    near_duplicate,
    number_unbounded,
    parameter_undescribed,
    parameter_untyped,
    pattern_backtracking,
    secret_parameter,
    text_unbounded,
    write_unguarded,
)

#: Every rule by its code.
RULES: Final[Mapping[str, Rule]] = MappingProxyType(
    {
        module.RULE.code: module.RULE
        for module in (
            name_generic,
            name_bare,
            name_verbless,
            description_missing,
            description_thin,
            description_limitless,
            description_occasionless,
            parameter_undescribed,
            parameter_untyped,
            number_unbounded,
            text_unbounded,
            list_unbounded,
            format_in_words,
            enum_in_words,
            catch_all,
            secret_parameter,
            identity_parameter,
            example_unfit,
            pattern_backtracking,
            write_unguarded,
            effect_understated,
            near_duplicate,
        )
    }
)
