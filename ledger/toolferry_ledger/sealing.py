"""Sealing: a call with secrets is written so that only who runs it reads them.

1. The record shows its arguments as people may see them, with an ellipsis for each that may be
   secret. The arguments as they are, and the secrets of the context, lie beside them, sealed for
   this call. The signature covers both.
2. Whoever reads records gets what is shown: approvals, dead letters, the command line. A worker
   opens a call when it begins an attempt. Nothing else does but a replay and an edit, which seal
   it again for the new call.
3. A call without secrets is written as it always was, and costs nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from toolferry import Tool, call_key
from toolferry.credentials import NO_CREDENTIALS
from toolferry.masking import mask_arguments
from toolferry_ledger.signing import Signer
from toolferry_ledger.spec import OPENED, Spec
from toolferry_ledger.untrusted import Untrusted
from toolferry_policies import Hidden, Known, brings_secrets, is_kept, secrets_of


def seal_secrets(spec: Spec, tool: Tool, signer: Signer) -> Spec:
    """Give a spec as it may be written: with its secrets sealed, or as it is when it has none.

    Args:
        spec: The call, in plain.
        tool: Knows which of its arguments are secret.
        signer: Holds the system's secret.

    Raises:
        ConfigurationError: The call has secrets, and the package that encrypts is not installed.
    """
    if not brings_secrets(tool, spec.context):
        return spec
    hidden = Hidden(secrets_of(tool, spec.context, spec.arguments, spec.original))
    return replace(
        spec,
        arguments=_shown(tool, spec.arguments, hidden),
        original=None if spec.original is None else _shown(tool, spec.original, hidden),
        changes=tuple(map(hidden.out_of, spec.changes)),
        approval=hidden.out_of(spec.approval),
        known=Known(hidden.out_of_data(dict(spec.known))) if spec.known else spec.known,
        context=replace(spec.context, secrets=NO_CREDENTIALS),
        sealed=signer.vault.seal(_place(spec), _secrets(spec)),
    )


def open_secrets(spec: Spec, signer: Signer) -> Spec:
    """Give a call with its arguments as they are, and its context with its secrets, to be run.

    What it gives cannot be written (`to_bytes` refuses); see `reseal`.

    Args:
        spec: As `open_spec` gave it.
        signer: Holds the system's secret.

    Raises:
        Untrusted: Its secrets were sealed for another call, or were changed.
    """
    if not spec.sealed:
        return spec
    found = signer.vault.open(_place(spec), spec.sealed)
    try:
        context = replace(spec.context, secrets=found["secrets"])
        arguments, original = found["arguments"], found["original"]
        known = Known(found["known"]) if found.get("known") else spec.known
    except (KeyError, TypeError, ValueError) as error:
        raise Untrusted(f"{_place(spec)}: its secrets cannot be read") from error
    opened = replace(spec, arguments=arguments, original=original, context=context)
    return replace(opened, known=known, sealed=OPENED)


def reseal(old: Spec, new: Spec, signer: Signer) -> Spec:
    """Seal the secrets of one call for another that repeats it.

    Args:
        old: As `open_spec` gave it.
        new: The call that repeats it, shown with the same arguments.
        signer: Holds the system's secret.

    Raises:
        Untrusted: The secrets of the old call cannot be opened.
    """
    if not old.sealed:
        return new
    found = signer.vault.open(_place(old), old.sealed)
    return replace(new, sealed=signer.vault.seal(_place(new), found))


def _shown(tool: Tool, arguments: Mapping[str, Any], hidden: Hidden) -> Mapping[str, Any]:
    masked = tool.has_secrets and is_kept()
    told = mask_arguments(tool.parameters, arguments) if masked else dict(arguments)
    shown: Mapping[str, Any] = hidden.out_of_data(told)
    return shown


def _secrets(spec: Spec) -> dict[str, Any]:
    return {
        "arguments": spec.arguments,
        "original": spec.original,
        "secrets": dict(spec.context.secrets),
        "known": dict(spec.known),
    }


def _place(spec: Spec) -> str:
    return f"call {call_key(spec.turn_id, spec.index)}"
