"""What a tool's author accepts: rules that do not apply to it, each with the reason."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from toolferry.errors import ToolInvalid


def accepted_rules(tool: str, accepted: Any) -> dict[str, str]:
    """Require codes of rules, each with a reason, and give a copy of them.

    Raises:
        ToolInvalid: A code is none of a rule, or a reason is missing; names the code.

    >>> accepted_rules("wait", {"TF102": "The only tool of its server."})
    {'TF102': 'The only tool of its server.'}
    """
    if not isinstance(accepted, Mapping):
        raise ToolInvalid(tool, 'lint_accepted must be {code: reason}, such as {"TF102": "…"}')
    if not accepted:
        return {}
    from toolferry.linting.table import RULES  # noqa: PLC0415 -- two dozen modules, for few tools

    for code, reason in accepted.items():
        if code not in RULES:
            known = f"{min(RULES)} to {max(RULES)}, see docs/designing-tools.md"
            raise ToolInvalid(tool, f"lint_accepted names {code!r}, which is no rule ({known})")
        if not isinstance(reason, str) or not reason.strip():
            raise ToolInvalid(tool, f"lint_accepted gives no reason for {code}: say why it is fine")
    return dict(accepted)
