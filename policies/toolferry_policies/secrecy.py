"""Secrecy: which values of a call are secret, and taking them out of what others get to see.

A value is secret when the tool's schema marks its argument (`writeOnly`, `format: password`), or
when the application hands it over with the context (`Context.secrets`).

Tests have to show that they would find a secret that gets out. For them alone everything can be
switched off, see `toolferry_testing.leaking`.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from typing import Any, Final

from toolferry import Context, Tool
from toolferry_policies.redaction import HIDDEN, MIN_KNOWN, spellings

#: What has to be said to switch secrecy off.
SENTENCE: Final = "every secret of this process may be written down in plain"

_given_up: list[str] = []


def give_up_secrecy(sentence: str) -> None:
    """Have this process hide no secret from now on; nothing but tests of secrecy may want that.

    Args:
        sentence: `SENTENCE`, word for word.

    Raises:
        ValueError: It is another one.
    """
    if sentence != SENTENCE:
        raise ValueError("secrecy is given up only by whoever says so word for word")
    _given_up.append(sentence)


def is_kept() -> bool:
    """Tell whether this process hides secrets."""
    return not _given_up


def brings_secrets(tool: Tool | None, context: Context) -> bool:
    """Tell whether calls of a tool on somebody's behalf may hold secrets."""
    return bool(context.secrets) or (tool is not None and tool.has_secrets)


def secrets_of(
    tool: Tool | None, context: Context, *arguments: Mapping[str, Any] | None
) -> tuple[str, ...]:
    """List the secret values of a call, each as a text.

    Args:
        tool: Whose arguments they are; None when it is unknown.
        context: On whose behalf the call is made.
        *arguments: As the model gave them, as policies changed them; None is passed over.
    """
    if not is_kept() or not brings_secrets(tool, context):
        return ()
    found = list(context.secrets.values())
    if tool is not None and tool.has_secrets:
        discretion = tool.validator.discretion
        found += [one for some in arguments if some for one in discretion.secrets(some)]
    return tuple(dict.fromkeys(found))


class Hidden:
    """Takes known secrets out of texts and JSON data, in all the ways in which they are written.

    Those of under 4 characters are passed over: they stand in too many words.

    Args:
        secrets: The values.
        patterns: What else is taken out; with no values either it is False, and takes nothing out.
    """

    __slots__ = ("_patterns", "_values", "_words", "secrets")

    def __init__(
        self, secrets: Collection[str] = (), patterns: Collection[re.Pattern[str]] = ()
    ) -> None:
        self._patterns = tuple(patterns)
        #: As they were given.
        self.secrets = tuple(secrets)
        self._values = frozenset(value for value in secrets if len(value) >= MIN_KNOWN)
        self._words = sorted(set(spellings(self._values)), key=len, reverse=True)

    def __bool__(self) -> bool:
        return bool(self._words or self._patterns)

    def out_of(self, text: str) -> str:
        """Give a text without them."""
        # One after the other: to make a pattern of a secret of a megabyte takes 18 s.
        for word in self._words:
            text = text.replace(word, HIDDEN)
        for pattern in self._patterns:
            text = pattern.sub(HIDDEN, text)
        return text

    def out_of_cut(self, text: str) -> str:
        """Give a text that was cut at its end without them, and without the beginning of one."""
        text = self.out_of(text)
        rest = max((_overlap(text, word) for word in self._words), default=0)
        return text[: len(text) - rest] + HIDDEN if rest >= MIN_KNOWN else text

    def out_of_data(self, data: Any) -> Any:
        """Give JSON data without them; a number goes when its text is one."""
        if not self:
            return data
        match data:
            case str():
                return self.out_of(data)
            case dict():
                return {self.out_of(key): self.out_of_data(one) for key, one in data.items()}
            case list():
                return [self.out_of_data(one) for one in data]
            case int() | float() if not isinstance(data, bool) and str(data) in self._values:
                return HIDDEN
            case _:
                return data


#: What a call without secrets has to hide.
NOTHING: Final = Hidden()


def hidden_of(tool: Tool | None, context: Context, *arguments: Mapping[str, Any] | None) -> Hidden:
    """Give what takes the secrets of a call out of texts; as `secrets_of`."""
    secrets = secrets_of(tool, context, *arguments)
    return Hidden(secrets) if secrets else NOTHING


def _overlap(text: str, word: str) -> int:
    """Count the characters at the end of a text with which a word begins; never all of it."""
    longest = min(len(word) - 1, len(text))
    return next((size for size in range(longest, 0, -1) if text.endswith(word[:size])), 0)
