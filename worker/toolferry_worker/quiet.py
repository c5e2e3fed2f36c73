"""Quiet: what a handler says of its secrets is taken out before it is written anywhere.

Its result unless the tool reveals them, its errors, its view, its progress. What it keeps for its
next attempt has to come back as it was: that is sealed, as the call's own arguments are.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

from toolferry import CallError, ErrorCode, ToolContext
from toolferry_ledger import Signer, Spec, Untrusted, Vault, get_log, read_json, write_json
from toolferry_policies import AttemptEnd, Hidden, quiet_faults

log = get_log(__name__)

#: Under this name a checkpoint of a call with secrets holds what was sealed.
_SEALED: Final = "sealed"
_OUR_CODES: Final = frozenset(ErrorCode)


def quiet_end(end: AttemptEnd, hidden: Hidden, *, reveals: bool) -> AttemptEnd:
    """Give the end of an attempt without secrets.

    Args:
        end: How it ended; its content is free of them already.
        hidden: The secrets of its call.
        reveals: Whether its result is meant to carry them.
    """
    if not hidden:
        return end
    told = replace(
        end,
        error=None if end.error is None else quiet_error(end.error, hidden),
        view=_out_of(end.view, hidden),
    )
    if reveals:
        return told
    return replace(
        told,
        source=_out_of(end.source, hidden),
        next_cursor=_out_of(end.next_cursor, hidden),
        undo=hidden.out_of_data(end.undo),
    )


def quiet_error(error: CallError, hidden: Hidden) -> CallError:
    """Give an error without secrets."""
    if not hidden:
        return error
    return replace(
        error,
        # Rules decide by our own codes, also for whom one of them is a password.
        code=error.code if error.code in _OUR_CODES else hidden.out_of(error.code),
        message=hidden.out_of(error.message),
        suggestion=hidden.out_of(error.suggestion),
        faults=quiet_faults(error.faults, hidden),
    )


def quiet_context(ctx: ToolContext, spec: Spec, hidden: Hidden, signer: Signer) -> ToolContext:
    """Give the context of a call whose reports tell no secret, and whose checkpoints are sealed."""
    if hidden:
        ctx = replace(ctx, report=_quiet_report(ctx.report, hidden))
    return _sealing(ctx, signer.vault) if spec.sealed else ctx


def _quiet_report(report: Callable[..., None], hidden: Hidden) -> Callable[..., None]:
    def tell(fraction: float | None, message: str | None) -> None:
        report(fraction, None if message is None else hidden.out_of(str(message)))

    return tell


def _sealing(ctx: ToolContext, vault: Vault) -> ToolContext:
    place = f"checkpoint {ctx.call_key}"

    def keep(text: bytes) -> None:
        ctx.keep(write_json({_SEALED: vault.seal(place, read_json(text))}))

    return replace(ctx, keep=keep, restored=_unsealed(ctx, place, vault))


def _unsealed(ctx: ToolContext, place: str, vault: Vault) -> Any:
    if ctx.restored is None:
        return None
    try:
        return vault.open(place, ctx.restored[_SEALED])
    except (Untrusted, KeyError, TypeError) as error:
        log.error("checkpoint.untrusted", call_key=ctx.call_key, reason=type(error).__name__)  # noqa: TRY400 -- as in checkpoints
        return None


def _out_of(text: str | None, hidden: Hidden) -> str | None:
    return None if text is None else hidden.out_of(text)
