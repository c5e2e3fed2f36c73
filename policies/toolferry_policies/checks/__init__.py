"""The checks: one rule a file, each from `Facts` to `Verdict`. Composed in `pipeline`."""

from __future__ import annotations

from toolferry_policies.checks.arguments import arguments_fit
from toolferry_policies.checks.confirmation import confirmation_is_unneeded
from toolferry_policies.checks.environments import environment_fits
from toolferry_policies.checks.known import tool_is_known
from toolferry_policies.checks.permissions import permissions_suffice
from toolferry_policies.checks.roles import role_is_allowed
from toolferry_policies.checks.rules import rules_hold
from toolferry_policies.checks.tenants import tenant_is_allowed
from toolferry_policies.checks.visible import tool_is_visible

__all__ = [
    "arguments_fit",
    "confirmation_is_unneeded",
    "environment_fits",
    "permissions_suffice",
    "role_is_allowed",
    "rules_hold",
    "tenant_is_allowed",
    "tool_is_known",
    "tool_is_visible",
]
