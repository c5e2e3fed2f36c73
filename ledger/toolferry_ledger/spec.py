"""The spec: what a dispatcher decided about a call, signed, so that a worker can rely on it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, Final

from toolferry import (
    ANYBODY,
    SCHEMA_VERSION,
    Approval,
    Context,
    EffectClass,
    Lane,
    RetryPolicy,
    split_call_key,
)
from toolferry.record import record
from toolferry_ledger.grants import read_grants, require_grants
from toolferry_ledger.json_text import read_json, write_json
from toolferry_ledger.records import Claim, Suspect
from toolferry_ledger.route import Pool
from toolferry_ledger.signing import Signer, Untrusted
from toolferry_policies import NOTHING_KNOWN, Known

#: Stands in `Spec.sealed` of a call whose secrets lie open: it can be run and not be written.
OPENED: Final = "opened"


@record(frozen=True, slots=True, kw_only=True)
class Spec:
    """One call as it may run: what, for whom, within which limits."""

    turn_id: str
    index: int
    call_id: str
    name: str
    arguments: Mapping[str, Any]
    context: Context
    conversation_id: str
    tool_version: str
    #: Of the tool that the call was judged by; only a worker with the same one runs it.
    tool_digest: str
    lane: Lane
    queue: str
    #: Seconds that one attempt may take.
    timeout: float
    #: Seconds from the request in which the call must end.
    deadline: float
    retry: RetryPolicy
    effect_class: EffectClass
    #: Whether the call may be run again after an attempt that may have had an effect.
    repeatable: bool
    #: Server times, seconds since the epoch.
    issued_at: float
    expires_at: float
    #: The key of the call that a person has repeated with this one; empty for a model's call.
    replay_of: str = ""
    #: Whether its tool can find out what an attempt did of which nobody knows.
    verifiable: bool = False
    #: Why a person has to decide before it runs; empty when nobody has to.
    approval: str = ""
    #: On which terms people decide, when somebody has to.
    terms: Approval = ANYBODY
    #: The name of the check that wants a person to decide; empty when none does.
    rule: str = ""
    #: What policies changed about the model's arguments, a sentence each.
    changes: tuple[str, ...] = ()
    #: The arguments as the model gave them, when policies changed them or fields were put right.
    original: Mapping[str, Any] | None = None
    #: What was put right about them before they were judged: names of `Repair`.
    repairs: tuple[str, ...] = ()
    #: The hash of the policy file that it was judged by; empty when there was none.
    policy: str = ""
    #: Bytes that its result's content may have, when that file says so; None leaves it to the tool.
    max_result_bytes: int | None = None
    #: What fact providers looked up about it before it was judged, by their names.
    known: Known = NOTHING_KNOWN
    #: What is secret of it, encrypted for this call, see `sealing`: then the arguments are those
    #: that people may see. `OPENED` once a worker has opened it; empty when it has no secrets.
    sealed: str = ""

    @property
    def pool(self) -> Pool:
        """Whose workers run it."""
        return Pool(self.lane, self.queue)

    def to_bytes(self) -> bytes:
        """Give the JSON text that is signed.

        Raises:
            ValueError: The secrets of the call lie open.
        """
        if self.sealed == OPENED:
            raise ValueError(
                f"call {self.turn_id}:{self.index}: its secrets lie open: seal it again"
            )
        return write_json(
            {
                "schema_version": SCHEMA_VERSION,
                "turn_id": self.turn_id,
                "index": self.index,
                "call_id": self.call_id,
                "name": self.name,
                # A release that cannot open it finds no arguments, and runs nothing.
                **(
                    {"shown": self.arguments, "sealed": self.sealed}
                    if self.sealed
                    else {"arguments": self.arguments}
                ),
                "context": _context_text(self.context),
                "conversation_id": self.conversation_id,
                "tool_version": self.tool_version,
                "tool_digest": self.tool_digest,
                "lane": self.lane.value,
                "queue": self.queue,
                "timeout": self.timeout,
                "deadline": self.deadline,
                "retry": _retry_text(self.retry),
                "effect_class": self.effect_class.value,
                "repeatable": self.repeatable,
                "issued_at": self.issued_at,
                "expires_at": self.expires_at,
                **({"replay_of": self.replay_of} if self.replay_of else {}),
                **({"verifiable": True} if self.verifiable else {}),
                **(self._asked() if self.approval else {}),
                **({} if self.known is NOTHING_KNOWN else {"known": dict(self.known)}),
                **(self._altered() if self.changes or self.repairs else {}),
                **({"policy": self.policy} if self.policy else {}),
                **({"max_result_bytes": self.max_result_bytes} if self.max_result_bytes else {}),
            }
        )

    def _altered(self) -> dict[str, Any]:
        altered: dict[str, Any] = {"changes": self.changes} if self.changes else {}
        if self.changes or self.original is not None:
            altered["original"] = self.original
        return {**altered, "repairs": self.repairs} if self.repairs else altered

    def _asked(self) -> dict[str, Any]:
        asked = {"approval": self.approval, "rule": self.rule}
        return asked if self.terms == ANYBODY else {**asked, "terms": self.terms.to_json()}

    @classmethod
    def from_bytes(cls, text: bytes) -> Spec:
        """Read the JSON text of this release or of a newer one with more keys.

        Raises:
            ValueError, KeyError, TypeError: The text is no spec.
        """
        data = read_json(text)
        known = {name: data[name] for name in _AS_THEY_ARE}
        known |= {name: read(data[name]) for name, read in _READ.items()}
        known |= {name: read(data[name]) for name, read in _OPTIONAL.items() if name in data}
        known["arguments"] = data["shown" if known.get("sealed") else "arguments"]
        return cls(**known)


def open_spec(signer: Signer, call: Claim | Suspect) -> Spec:
    """Read a call's spec after checking that it is genuine and the call's own.

    A claim's spec must not have expired either, and where people have to approve the call, they
    must have; nothing is run for a suspect.

    Args:
        signer: Holds the system's secret.
        call: What the ledger gave.

    Raises:
        Untrusted: It is not; the sentence says which.
    """
    if not signer.verify(call.spec, call.signature):
        raise Untrusted(f"call {call.call_key}: its record is not signed with this system's secret")
    try:
        spec = Spec.from_bytes(call.spec)
    except (ValueError, KeyError, TypeError) as error:
        raise Untrusted(f"call {call.call_key}: its record cannot be read ({error})") from error
    if (spec.turn_id, spec.index) != split_call_key(call.call_key):
        raise Untrusted(f"call {call.call_key}: its record belongs to another call")
    if isinstance(call, Claim) and spec.expires_at < call.started_at:
        raise Untrusted(f"call {call.call_key}: its record has expired")
    if isinstance(call, Claim) and spec.approval:
        _require_approval(signer, call, spec)
    return spec


def _require_approval(signer: Signer, claim: Claim, spec: Spec) -> None:
    grants = read_grants(signer, claim.grant, claim.call_key, claim.spec)
    try:
        require_grants(grants, spec.terms, spec.context.principal, claim.started_at)
    except Untrusted as error:
        raise Untrusted(f"call {claim.call_key}: {error}") from error


# The calls of a turn share their context, and mostly their policy. Each is a JSON text within the
# spec's, so that it is written and read once: a third of the time that a spec takes.
@lru_cache(maxsize=256)
def _context_text(context: Context) -> str:
    return write_json(context.to_json()).decode()


@lru_cache(maxsize=256)
def _retry_text(retry: RetryPolicy) -> str:
    return write_json(retry.to_json()).decode()


@lru_cache(maxsize=256)
def _read_context(text: str) -> Context:
    return Context.from_json(read_json(text.encode()))


@lru_cache(maxsize=256)
def _read_retry(text: str) -> RetryPolicy:
    return RetryPolicy.from_json(read_json(text.encode()))


def _as_it_is(value: Any) -> Any:
    return value


#: How to read what a text has only where it is so; elsewhere the field has its default.
_OPTIONAL: Final[Mapping[str, Callable[[Any], Any]]] = {
    **dict.fromkeys(("replay_of", "verifiable", "approval", "rule", "original"), _as_it_is),
    **dict.fromkeys(("policy", "max_result_bytes", "sealed"), _as_it_is),
    **dict.fromkeys(("changes", "repairs"), tuple),
    "terms": Approval.from_json,
    "known": Known,
}
#: How to read what the text of every release has, of what is not as it is there.
_READ: Final[Mapping[str, Callable[[Any], Any]]] = {
    "context": _read_context,
    "lane": Lane,
    "retry": _read_retry,
    "effect_class": EffectClass,
}
#: What the text of every release has as it is.
_AS_THEY_ARE: Final = tuple(
    name for name in Spec.__dataclass_fields__ if name not in {"arguments", *_OPTIONAL, *_READ}
)
