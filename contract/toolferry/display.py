"""The display: what people read of one call, a template over its arguments, in their language."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, TypeAlias

from toolferry.discretion import Discretion, discretion_of
from toolferry.errors import ToolInvalid
from toolferry.languages import closest, is_language
from toolferry.template import NOT_SHOWN, fill, find, unknown_places

#: One template for everybody, or one for each language, by its BCP 47 tag.
Display: TypeAlias = str | Mapping[str, str]


def copy_display(tool: str, display: Any) -> Display:
    """Take a copy that nobody can change from outside.

    Raises:
        ToolInvalid: It is neither a text nor texts by language; names the language.
    """
    if not isinstance(display, Mapping):
        _require_text(tool, "display", display)
        return str(display)
    if not display:
        raise ToolInvalid(tool, "display has no language: give one at least, or leave it out")
    for language, template in display.items():
        if not (isinstance(language, str) and is_language(language)):
            raise ToolInvalid(
                tool,
                f"display names the language {language!r:.40}: write it as in BCP 47,"
                ' such as "en" or "zh-Hans"',
            )
        _require_text(tool, f"display[{language!r}]", template)
    return dict(display)


def check_display(tool: str, display: Display, schema: Mapping[str, Any]) -> None:
    """Require that every place of every language names a parameter.

    Raises:
        ToolInvalid: One does not; names the language and the place.
    """
    for word, template in _templates(display):
        for place in unknown_places(template, schema):
            raise ToolInvalid(tool, f"{word} names {{{place}}}, which is no parameter")


def write_display(
    display: Display, schema: Mapping[str, Any], arguments: Mapping[str, Any], locale: str
) -> str:
    """Say what a call with these arguments is about, in one legible line.

    A missing argument shows as its default or else as an ellipsis. So does a secret one, and, of a
    tool that has secrets, an object or a list: a misspelt name in it may hold one.

    Args:
        display: The tool's own.
        schema: The tool's parameters: knows the defaults and the secrets.
        arguments: The model's; need not fit the schema.
        locale: The language of who reads it, as BCP 47.
    """
    discretion = discretion_of(schema)
    given = {**_defaults(schema), **arguments}
    return fill(template_for(display, locale), lambda place: _shown(discretion, given, place))


def template_for(display: Display, locale: str) -> str:
    """Choose the template of the language that somebody reads best.

    >>> template_for({"en": "Read {path}", "zh": "读取 {path}"}, "zh-Hans-CN")
    '读取 {path}'
    """
    return display if isinstance(display, str) else display[closest(locale, display)]


def _require_text(tool: str, word: str, template: object) -> None:
    if not isinstance(template, str):
        raise ToolInvalid(
            tool, f"{word} is {template!r:.40}: it must be a text, such as 'Read {{path}}'"
        )


def _templates(display: Display) -> Iterator[tuple[str, str]]:
    if isinstance(display, str):
        yield "display", display
    else:
        yield from ((f"display[{language!r}]", text) for language, text in display.items())


def _defaults(schema: Mapping[str, Any]) -> dict[str, Any]:
    return {
        name: child["default"]
        for name, child in schema.get("properties", {}).items()
        if isinstance(child, Mapping) and "default" in child
    }


def _shown(discretion: Discretion, arguments: Mapping[str, Any], place: str) -> Any:
    value = find(arguments, place)
    is_plain = isinstance(value, str | int | float)
    if discretion.guards(place.split("."), value) or (discretion.names and not is_plain):
        return NOT_SHOWN
    return value
