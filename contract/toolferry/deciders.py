"""Deciders: what of an application's extensions a dispatcher has to ask about calls, by name.

A dispatcher that has only the definitions of tools does not know what stands beside their code. So
a definition says by whom calls are judged, and a dispatcher that lacks one of them lets no call
through.
"""

from __future__ import annotations

from toolferry.extensions import Extensions


def deciders_of(extensions: Extensions, tool: str) -> frozenset[str]:
    """Name what decides about calls of a tool in a dispatcher: nothing that only hears or wraps.

    >>> from toolferry.fact_provider import FactProvider
    >>> sorted(deciders_of(Extensions(facts=[FactProvider("owner", print)]), "pay"))
    ['fact provider owner']
    """
    facts = (f"fact provider {one.name}" for one in extensions.facts if one.concerns(tool))
    interceptors = (f"interceptor {one.name}" for one in extensions.interceptors if one.before)
    hooks = (
        f"pre_execute hook {getattr(function, '__qualname__', type(function).__qualname__)}"
        for one in extensions.hooks
        if one.concerns(tool)
        for function in one.pre_execute
    )
    return frozenset((*facts, *interceptors, *hooks))
