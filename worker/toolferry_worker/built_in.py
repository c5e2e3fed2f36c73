"""The tools that every worker has, whatever its application declares."""

from __future__ import annotations

from toolferry import Registry
from toolferry_ledger import call_tools, result_tools


def with_built_in_tools(registry: Registry) -> Registry:
    """Give a registry with the call and result tools, beside those of an application.

    A tool of the application that has the name of one of them stays what it is.
    """
    extended = Registry(lifespans=registry.lifespans)
    extended.extensions = registry.extensions
    for one in registry:
        extended.declare(one)
    built_in = (*call_tools(), *result_tools())
    extended.register_all(one for one in built_in if one.name not in registry)
    return extended
