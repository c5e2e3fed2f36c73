"""The view: what people see of a result, beside what the model sees. Never told to a model."""

from __future__ import annotations

import inspect
from typing import Any, Final

from toolferry.convert import named
from toolferry.legible import legible, value_line
from toolferry.phrases import phrases_in
from toolferry.result import ToolResult
from toolferry.wording import shortened

#: Characters of a view; about one screen. More is cut.
MAX_VIEW: Final = 2_000
#: Characters of what is said of a result that has no view of its own: one line or two.
MAX_GENERIC: Final = 200


def fit_view(rendered: Any) -> str | None:
    """Make a view of what a tool's `render_result` gave: legible plain text, within its limit.

    Returns:
        None when it is blank: there is nothing to see.

    Raises:
        TypeError: It is no text.

    >>> fit_view("3 rows"), fit_view(" ")
    ('3 rows', None)
    """
    if inspect.iscoroutine(rendered):
        rendered.close()  # else Python warns that nobody awaited it
    if not isinstance(rendered, str):
        raise TypeError(f"render_result gave {named(rendered)}, which is no text")
    text = legible(shortened(str(rendered[: MAX_VIEW + 1]), MAX_VIEW))
    return text.strip("\n").rstrip() or None


def view_of(result: ToolResult, locale: str = "en") -> str:
    """Give what people see of a result: its own view, or a short one of its content or its error.

    Args:
        result: Any result.
        locale: The language of who reads it, as BCP 47; the words of tools stay as they are.
    """
    if result.view is not None:
        return legible(result.view)
    phrases = phrases_in(locale)
    if result.error is not None:
        return legible(result.error.message)
    if result.is_error:
        return phrases.word("state", result.outcome)
    nothing = result.content is None or result.content == ""
    said = phrases.say("view.none") if nothing else value_line(result.content, MAX_GENERIC)
    return phrases.say("view.cut", content=said) if result.truncated else said
