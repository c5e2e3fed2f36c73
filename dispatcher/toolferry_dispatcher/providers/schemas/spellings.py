"""How each provider wants schemas: its rules, plain and strict, and the limits of a request.

Where the sources of a rule differ, the smaller set is taken.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from toolferry import ConfigurationError
from toolferry_dispatcher.providers.schemas.anthropic_rules import ANTHROPIC_PLAIN, ANTHROPIC_STRICT
from toolferry_dispatcher.providers.schemas.cohere_rules import COHERE_STRICT
from toolferry_dispatcher.providers.schemas.deepseek_rules import DEEPSEEK_STRICT
from toolferry_dispatcher.providers.schemas.gemini_rules import GEMINI, GEMINI_JSON
from toolferry_dispatcher.providers.schemas.openai_rules import OPENAI_STRICT
from toolferry_dispatcher.providers.schemas.plain_rules import PLAIN
from toolferry_dispatcher.providers.schemas.rules import RequestLimits, Spelling

_OPENAI: Final = Spelling(PLAIN, OPENAI_STRICT)
_ANTHROPIC_LIMITS: Final = RequestLimits(tools=20, optional=24, unions=16)
#: Gemini has no flag for a tool: the mode VALIDATED holds all of them to their schemas.
_VALIDATED: Final = MappingProxyType(
    {"tool_config": {"function_calling_config": {"mode": "VALIDATED"}}}
)

#: By the name of the provider. Gemini has two: one for `parameters`, one for
#: `parameters_json_schema`.
SPELLINGS: Final[Mapping[str, Spelling]] = MappingProxyType(
    {
        "openai-chat": _OPENAI,
        "openai-responses": _OPENAI,
        "anthropic": Spelling(ANTHROPIC_PLAIN, ANTHROPIC_STRICT, _ANTHROPIC_LIMITS),
        "bedrock-converse": Spelling(ANTHROPIC_PLAIN, ANTHROPIC_STRICT, _ANTHROPIC_LIMITS),
        "deepseek": Spelling(PLAIN, DEEPSEEK_STRICT, RequestLimits(all_or_none=True)),
        "gemini": Spelling(GEMINI, GEMINI, RequestLimits(all_or_none=True), _VALIDATED),
        "gemini-json-schema": Spelling(
            GEMINI_JSON, GEMINI_JSON, RequestLimits(all_or_none=True), _VALIDATED
        ),
        "cohere-v2": Spelling(
            PLAIN,
            COHERE_STRICT,
            RequestLimits(properties=200, all_or_none=True),
            MappingProxyType({"strict_tools": True}),
        ),
    }
)


def spelling(name: str) -> Spelling:
    """Give the spelling of a provider.

    Raises:
        ConfigurationError: There is none of that name; the reason lists those there are.
    """
    found = SPELLINGS.get(name)
    if found is None:
        known = ", ".join(sorted(SPELLINGS))
        raise ConfigurationError("spelling", f"{name!r} is not known; the known ones are {known}")
    return found
