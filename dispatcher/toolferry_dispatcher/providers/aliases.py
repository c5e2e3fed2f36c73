"""Servers that speak Chat Completions, each with what is known of its differences.

Where nothing is declared the server does as OpenAI's own API. What depends on the model, such as
whether it can look at pictures, is declared for none: who knows it declares an alias of its own,
`alias("my-vllm", "vllm", replace(ALIASES["vllm"], media=frozenset({MediaKind.IMAGE})))`.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from toolferry_dispatcher.providers.dialect import Dialect, StrictTools
from toolferry_dispatcher.providers.given import IdForm
from toolferry_dispatcher.providers.told import MediaKind

#: Servers that run any model, and do not hold it to the schema of a tool because of a mark.
_LOCAL: Final = Dialect(strict=StrictTools.NONE)

ALIASES: Final[Mapping[str, Dialect]] = MappingProxyType(
    {
        # OpenAI's models; documents only by way of its Responses API.
        "azure": Dialect(media=frozenset({MediaKind.IMAGE})),
        # All tools are strict or none is: "Tools with mixed values for 'strict' are not allowed".
        # Refuses thoughts in a field that is not its own.
        "cerebras": Dialect(strict=StrictTools.ALL, refused=frozenset({"reasoning_content"})),
        # Thinking: "The reasoning_content in the thinking mode must be passed back to the API": it
        # goes back, as all that is not refused.
        # Strict tools: Beta, at the Beta URL, "all functions must set the strict property".
        "deepseek": Dialect(strict=StrictTools.ALL),
        "fireworks": _LOCAL,
        # Refuses every field that it does not know: "property 'reasoning_content' is unsupported".
        # The other two it sends itself.
        "groq": Dialect(
            strict=StrictTools.NONE,
            refused=frozenset({"reasoning_content", "channel", "executed_tools"}),
        ),
        "huggingface": _LOCAL,
        "llamacpp": _LOCAL,
        "lmstudio": _LOCAL,
        # "Tool call id was … but must be a-z, A-Z, 0-9, with a length of 9", and "Unexpected role
        # 'user' after role 'tool'", so that nothing can be shown behind the results.
        "mistral": Dialect(call_id=IdForm(pattern="[A-Za-z0-9]{9}", prefix="", digits=9)),
        "ollama": _LOCAL,
        # Thoughts of all models, signatures included, must go back unchanged, and do.
        "openrouter": Dialect(),
        "together": _LOCAL,
        "vllm": _LOCAL,
        "xai": Dialect(),
    }
)
