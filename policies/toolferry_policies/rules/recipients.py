"""Whom a message may reach."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, Final

from toolferry import ConfigurationError
from toolferry_policies.facts import Facts
from toolferry_policies.rules.items import require_count
from toolferry_policies.rules.place import Path, Rule, for_each, refused
from toolferry_policies.verdict import Deny, Permit, Verdict

#: The name in one plain address: nothing that a mail server might read as a second address, as a
#: route (`%`, `!`), as a program (`|`), or as an option of its own (a `-` at the start).
_NAME: Final = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_+'=~-]*(\.[A-Za-z0-9_+'=~-]+)*@")
_LABEL: Final = r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?"
_DOMAIN: Final = re.compile(rf"(?=.{{1,253}}\Z){_LABEL}(?:\.{_LABEL})*")
_MAX_LOCAL: Final = 64


def recipients(path: str, *, domains: Iterable[str], max: int = 10) -> Rule:  # noqa: A002 -- reads best where a tool is declared
    """Allow plain mail addresses within some domains, and so many of them at the most.

    An address is `name@domain` and nothing else: display names, lists in one text, quoting and
    comments are refused, as mail servers read them in different ways. A subdomain is another
    domain. The same address twice counts once.

    Args:
        path: The argument: a list of addresses, or one address as a text.
        domains: Allowed domains in ASCII, such as `example.org`; case does not matter.
        max: Different addresses at the most, 1 or more.

    Raises:
        ConfigurationError: The path, a domain or the number is wrong.
    """
    require_count("recipients", max, 1)
    allowed = frozenset(
        _domain(one) for one in ([domains] if isinstance(domains, str) else domains)
    )
    if not allowed:
        raise ConfigurationError("recipients", "no domain is allowed")
    expected = f"an address such as name@{min(allowed)}, in {' or '.join(sorted(allowed))}"

    def judge(facts: Facts, where: Path, value: Any) -> Verdict:
        several = value if isinstance(value, list | tuple) else None
        for index, one in enumerate([value] if several is None else several):
            if not _is_within(one, allowed):
                place = where if several is None else (*where, index)
                return refused(facts, place, one, expected)
        return _few(facts, where, value, max)

    return for_each("recipients", path, judge)


def _few(facts: Facts, where: Path, value: Any, most: int) -> Permit | Deny:
    different = {value.lower()} if isinstance(value, str) else {one.lower() for one in value}
    if len(different) <= most:
        return Permit()
    return refused(facts, where, value, f"at most {most} recipients")


def _is_within(address: object, allowed: frozenset[str]) -> bool:
    if not isinstance(address, str):
        return False
    name = _NAME.match(address)
    if name is None or name.end() > _MAX_LOCAL + 1 or not address.isascii():
        return False
    return address[name.end() :].lower() in allowed


def _domain(text: object) -> str:
    name = text.lower() if isinstance(text, str) else ""
    if not _DOMAIN.fullmatch(name):
        raise ConfigurationError("recipients", f"{text!r:.60} is no domain in ASCII")
    return name
