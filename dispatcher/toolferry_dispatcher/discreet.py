"""Secrets on the dispatcher's side: what is written of a turn does not show them.

The arguments themselves are sealed by the ledger's `seal_secrets`; here is what else of a turn
would tell them: the model's own message, why its arguments cannot be read, the name of a resource,
and the digest, which could be guessed from.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any, Final, TypeVar

from toolferry import CallError, Concurrency, Context, Rate, Tool, ToolCall
from toolferry_dispatcher.meta import TurnMeta
from toolferry_dispatcher.plan import bounded
from toolferry_ledger import Signer
from toolferry_policies import brings_secrets, hidden_of

_NOBODY: Final = Context()
_WRITE: Final = json.JSONEncoder(sort_keys=True).encode
#: What the sentence of such an error repeats: a name or a value in quotes, or a number.
_REPEATED: Final = re.compile(r' ".*["…]|(?<=the number) [-\d]\S*', re.DOTALL)
#: What calls with one key share.
Shared = TypeVar("Shared", Concurrency, Rate)


def quiet_name(
    name: str | None, tool: Tool, call: ToolCall, context: Context, signer: Signer
) -> str | None:
    """Give the name of a resource or a limit, short; of one that tells a secret a keyed digest.

    So it still stands for the same thing. Of a plain digest a secret at its end could be guessed.
    """
    if name is None or not brings_secrets(tool, context):
        return name and bounded(name)
    told = hidden_of(tool, context, call.arguments).out_of(name)
    short = bounded(name)
    return short if told == name else signer.sign(b"name\0" + short.encode(errors="replace"))


def quiet_limit(
    limit: Shared | None, tool: Tool, call: ToolCall, context: Context, signer: Signer
) -> Shared | None:
    """Give a limit or a rate whose key is short and tells no secret."""
    if limit is None:
        return None
    key = quiet_name(limit.key, tool, call, context, signer) or ""
    return limit if key == limit.key else replace(limit, key=key)


def quiet_fault(fault: CallError, tool: Tool | None, context: Context) -> CallError:
    """Give the error of arguments that could not be read, which nobody knows the secrets of.

    Of a call that may hold some, what came is not repeated.
    """
    if not brings_secrets(tool, context):
        return fault
    return replace(fault, message=_REPEATED.sub(" (not shown)", fault.message))


def digests_of(
    calls: Sequence[tuple[ToolCall, Tool | None]], context: Context, signer: Signer
) -> tuple[str, ...]:
    """Give the digests of a turn, the one that it is written under first.

    A digest is equal for the same calls of the same tenant and principal only, so that a turn id
    that two customers came to use cannot show one of them the results of the other. That of a turn
    with secrets is keyed, by each of the system's keys: of a plain one a short secret can be
    guessed. The last one is how the release before has written it.
    """
    text = _text([call for call, _ in calls], context)
    plain = hashlib.sha256(text).hexdigest()
    if not any(brings_secrets(tool, context) for _, tool in calls):
        return (plain,)
    return (*signer.signatures(b"turn\0" + text), plain)


def digest_of(calls: Sequence[ToolCall], context: Context = _NOBODY) -> str:
    """Give the digest of a turn without secrets; see `digests_of`."""
    return hashlib.sha256(_text(calls, context)).hexdigest()


def _text(calls: Iterable[ToolCall], context: Context) -> bytes:
    facts: list[Any] = [[c.call_id, c.name, c.arguments] for c in calls]
    if (context.tenant, context.principal) != (_NOBODY.tenant, _NOBODY.principal):
        facts.append({"tenant": context.tenant, "principal": context.principal})
    return _WRITE(facts).encode()


def seal_message(
    meta: TurnMeta, tools: Iterable[Tool | None], context: Context, signer: Signer
) -> TurnMeta:
    """Seal the model's own message, which holds the arguments as it gave them.

    Raises:
        ConfigurationError: The turn has secrets, and the package that encrypts is not installed.
    """
    if not any(brings_secrets(tool, context) for tool in tools):
        return meta
    said = {"message": meta.message, "text": meta.text}
    return replace(meta, sealed=signer.vault.seal(_place(meta), said))


def open_message(meta: TurnMeta, signer: Signer) -> TurnMeta:
    """Give a turn as it was found with the message that was sealed in it.

    Raises:
        Untrusted: It was sealed for another turn, or was changed.
    """
    if not meta.sealed:
        return meta
    said = signer.vault.open(_place(meta), meta.sealed)
    return replace(meta, message=said["message"], text=said["text"])


def _place(meta: TurnMeta) -> str:
    return f"turn {meta.turn_id}"
