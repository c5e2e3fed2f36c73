"""Ready rules over the arguments of a call, for `Tool.rules`."""

from __future__ import annotations

from toolferry_policies.rules.choices import allowed_values
from toolferry_policies.rules.items import max_items, max_length
from toolferry_policies.rules.place import Rule
from toolferry_policies.rules.recipients import recipients

__all__ = ["Rule", "allowed_values", "max_items", "max_length", "recipients"]
