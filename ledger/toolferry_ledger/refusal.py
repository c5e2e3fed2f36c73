"""The refusal: what a dispatcher judged of a call that must not run, signed, for who asks later.

A call that may run has its `Spec`. One that is refused has its result at once and no record of its
own, so that invented names leave no trace; this stands with its turn.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from toolferry import SCHEMA_VERSION, split_call_key
from toolferry.masking import hide_arguments
from toolferry_ledger.json_text import read_json, write_json
from toolferry_ledger.signing import Signer
from toolferry_ledger.spec import Spec
from toolferry_policies.explaining import COUNTING

#: Hex digits of a signature.
_SIGNATURE: Final = 64


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusal:
    """Who asked for a call, what was judged, and by which check."""

    turn_id: str
    index: int
    call_id: str
    name: str
    #: The name of the check that denied.
    rule: str
    principal: str
    tenant: str
    conversation_id: str = ""
    #: The arguments without their secrets; of an unknown tool their names only.
    arguments: Mapping[str, Any] | None = None
    #: What only operators may know, such as what a broken check raised; without secrets.
    detail: str = ""
    #: What was put right about the arguments before they were judged.
    repairs: tuple[str, ...] = ()

    def to_bytes(self) -> bytes:
        """Give the JSON text that is signed."""
        data = {name: getattr(self, name) for name in Refusal.__dataclass_fields__}
        if not self.repairs:
            del data["repairs"]
        return write_json({"schema_version": SCHEMA_VERSION, **data})


def open_refusal(signer: Signer, call_key: str, kept: bytes | None) -> Refusal | None:
    """Read what is kept of a refused call; None when there is nothing that can be believed.

    Args:
        signer: Holds the system's secret.
        call_key: The call whose it must be.
        kept: The signature, and the JSON text behind it.
    """
    if not kept:
        return None
    signature, text = kept[:_SIGNATURE], kept[_SIGNATURE:]
    if not signer.verify(text, signature.decode(errors="replace")):
        return None
    try:
        data = read_json(text)
        found = _read(data) if "detail" in data else _of_spec(Spec.from_bytes(text))
    except (ValueError, LookupError, TypeError):
        return None
    return found if (found.turn_id, found.index) == split_call_key(call_key) else None


def _read(data: Mapping[str, Any]) -> Refusal:
    fields = Refusal.__dataclass_fields__.keys() - {"repairs"}
    repairs = tuple(data.get("repairs", ()))
    return Refusal(**{name: data[name] for name in fields}, repairs=repairs)


def _of_spec(spec: Spec) -> Refusal:
    """Read what is kept of a call that every check let run, and the server counted out."""
    return Refusal(
        turn_id=spec.turn_id,
        index=spec.index,
        call_id=spec.call_id,
        name=spec.name,
        rule=COUNTING,
        principal=spec.context.principal,
        tenant=spec.context.tenant,
        conversation_id=spec.conversation_id,
        arguments=hide_arguments(spec.arguments),
    )
