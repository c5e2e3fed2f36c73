"""Telling: from the notes of scripts to what the lines of the audit say.

A note is short, so that a script loses no time. Who asked, for whom and with what stands in the
call's signed record, which is read here, a moment later.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias

from toolferry import split_call_key
from toolferry.masking import Mask, mask_of
from toolferry_ledger.audit.calmly import calmly
from toolferry_ledger.audit.entries import Entry, Note
from toolferry_ledger.decisions import Decision
from toolferry_ledger.json_text import read_json
from toolferry_ledger.ledger import Ledger
from toolferry_ledger.refusal import Refusal, open_refusal
from toolferry_ledger.shown import masked_arguments, value_text
from toolferry_ledger.signing import Signer
from toolferry_ledger.spec import Spec

#: Gives the parameters of a tool by its name; None when nobody knows them.
Schemas: TypeAlias = Callable[[str], Mapping[str, Any] | None]
#: Gives what of a tool's arguments may be told; None when nobody knows it.
Masks: TypeAlias = Callable[[str], Mask | None]
Facts: TypeAlias = dict[str, Any]
#: What entries tell: each with its notes.
Told: TypeAlias = Sequence[tuple[Entry, Sequence[Note]]]

#: Records that are read together.
_TOGETHER: Final = 200
#: Where a decision tells how many uses its standing approval has left.
_LEFT: Final = 3
#: The code of a call whose record could not be believed.
_UNTRUSTED: Final = "untrusted"


def masks_of(schemas: Schemas) -> Masks:
    """Give what makes the mask of each tool once; for one batch, since tools may change."""
    known: dict[str, Mask | None] = {}

    def find(name: str) -> Mask | None:
        if name not in known:
            schema = schemas(name)
            known[name] = None if schema is None else mask_of(schema)
        return known[name]

    return find


@dataclass(frozen=True, slots=True)
class Subject:
    """What is known of the call that a note is about."""

    spec: Spec | None = None
    #: The signature of the spec, which stands for its exact arguments.
    signature: str = ""
    refusal: Refusal | None = None
    #: Who asked for what, as the lines tell it.
    identity: Facts = field(default_factory=dict)
    #: The same as it was requested, before a person edited it.
    asked: Spec | None = None
    asked_signature: str = ""


#: What is known of a call without a record.
_UNKNOWN: Final = Subject()


def read_subjects(ledger: Ledger, signer: Signer, told: Told) -> dict[str, Subject]:
    """Read the signed records of all calls that entries tell of."""
    named = dict.fromkeys(note.call_key for _, notes in told for note in notes)
    keys = [key for key in named if _is_key(key)]
    records = zip(keys, _read_records(ledger, keys), strict=True)
    found = {key: _subject_of(signer, key, row) for key, row in calmly(records)}
    # What was refused has no record; what was judged of it stands with its turn.
    bare = [key for key, subject in found.items() if subject is _UNKNOWN]
    refusals = zip(bare, _read_refusals(ledger, bare), strict=True)
    return found | {key: _refused_subject(signer, key, row) for key, row in refusals}


def _read_records(ledger: Ledger, keys: Sequence[str]) -> Iterator[Any]:
    for start in range(0, len(keys), _TOGETHER):
        yield from ledger.read_records(keys[start : start + _TOGETHER])


def _read_refusals(ledger: Ledger, keys: Iterable[str]) -> list[Any]:
    prefix = ledger.settings.key_prefix
    with ledger.client.pipeline(transaction=False) as pipe:
        for key in keys:
            turn_id, _, position = key.rpartition(":")
            pipe.hget(f"{prefix}turn:{turn_id}", f"d:{position}")
        return pipe.execute(raise_on_error=False)


def tell(
    entry: Entry, notes: Iterable[Note], subjects: Mapping[str, Subject], masks: Masks
) -> Iterator[Facts]:
    """Give what the lines of an entry say, one for each thing that happened."""
    at, number = entry.at, entry.number
    for note in notes:
        subject = subjects.get(note.call_key, _UNKNOWN)
        teller = _TELLERS.get(note.kind)
        told = _unknown(note) if teller is None else _told(teller, note, subject, masks)
        identity = {"kind": note.kind, "call": note.call_key, "tool": note.tool, **subject.identity}
        facts = {"at": at, "entry": number, **identity, **told}
        yield {name: value for name, value in facts.items() if value is not None and value != ""}


def _told(
    teller: Callable[[Note, Subject, Masks], Facts],
    note: Note,
    subject: Subject,
    masks: Masks,
) -> Facts:
    try:
        return teller(note, subject, masks)
    except (ValueError, LookupError, TypeError):
        return _unknown(note)


def _requested(note: Note, subject: Subject, masks: Masks) -> Facts:
    tenant, state = note.rest
    spec = subject.asked or subject.spec
    if spec is None:
        return {"tenant": tenant, "state": state, "record": "cannot be read or believed"}
    asked = bool(spec.approval)
    return {
        "arguments": masked_arguments(masks(spec.name), spec.arguments),
        "signature": subject.asked_signature or subject.signature,
        "verdict": "require_approval" if asked else "permit",
        "rule": spec.rule,
        "reason": spec.approval,
        "policy": spec.policy,
        "changes": list(spec.changes) or None,
        "repairs": list(spec.repairs) or None,
        "state": state,
        "replay_of": spec.replay_of,
    }


def _refused(note: Note, subject: Subject, _masks: Masks) -> Facts:
    _, outcome, effect, code, size = note.rest
    facts: Facts = {"verdict": "deny", "outcome": outcome, "effect": effect, "code": code}
    facts["result_bytes"] = int(size)
    if subject.refusal is None:
        return facts
    refusal = subject.refusal
    return facts | {
        "rule": refusal.rule,
        "arguments": refusal.arguments,
        "detail": refusal.detail,
        "repairs": list(refusal.repairs) or None,
    }


def _claimed(note: Note, _subject: Subject, _masks: Masks) -> Facts:
    owner, attempt, verify = note.rest
    return {"worker": owner, "attempt": int(attempt), "purpose": verify}


def _settled(note: Note, _subject: Subject, _masks: Masks) -> Facts:
    owner, state, attempts, said, effect, given, size = note.rest
    code = given or said
    return {
        "kind": _UNTRUSTED if code == _UNTRUSTED else "settled",
        "worker": owner,
        "state": state,
        "attempt": int(attempts or 0),
        "code": code,
        "effect": effect,
        "result_bytes": int(size),
    }


def _decided(note: Note, subject: Subject, masks: Masks) -> Facts:
    _, state, _, text, *rest = note.rest
    # A release before tells nothing of standing approvals.
    left, decided_about = (*rest[_LEFT:], "", "")[:2]
    decision = Decision.from_bytes(text.encode())
    facts: Facts = {
        "who": decision.who,
        "verdict": "approve" if decision.approved else "deny",
        "reason": value_text(decision.reason),
        "state": state,
    }
    if decision.standing:
        facts |= {"standing": decision.standing, "allowed_at": decision.allowed_at}
        facts["uses_left"] = int(left or 0)
    # A record that was edited later is not what this person saw.
    if subject.spec is not None and decided_about in {"", subject.signature}:
        facts["arguments"] = masked_arguments(masks(subject.spec.name), subject.spec.arguments)
        facts["signature"] = subject.signature
    return facts


def _edited(note: Note, _subject: Subject, masks: Masks) -> Facts:
    text, signature, said = note.rest
    spec, decision = Spec.from_bytes(text.encode()), Decision.from_bytes(said.encode())
    if (spec.turn_id, spec.index) != split_call_key(note.call_key):
        raise ValueError(note.call_key)
    return {
        "who": decision.who,
        "reason": value_text(decision.reason),
        "arguments": masked_arguments(masks(spec.name), spec.arguments),
        "signature": signature,
        "changes": list(spec.changes),
    }


def _queued(note: Note, _subject: Subject, _masks: Masks) -> Facts:
    return {"before": note.rest[0], "state": "queued"}


def _allowed(note: Note, _subject: Subject, masks: Masks) -> Facts:
    told = read_json(note.rest[0].encode())
    names = ("principal", "tenant", "tool_version", "who", "until", "uses", "free")
    return {
        **{name: told[name] for name in names},
        "standing": told["id"],
        "arguments": masked_arguments(masks(note.tool), told["pinned"]),
        "reason": value_text(told["note"]),
    }


def _revoked(note: Note, _subject: Subject, _masks: Masks) -> Facts:
    told = read_json(note.rest[0].encode())
    return {"standing": told["id"], "who": told.get("who", "")}


def _withdrawn(note: Note, _subject: Subject, _masks: Masks) -> Facts:
    owner, reason = note.rest
    return {"worker": owner, "reason": value_text(reason)}


def _answered(note: Note, _subject: Subject, _masks: Masks) -> Facts:
    return {"answer_bytes": int(note.rest[0])}


def _erased(_note: Note, _subject: Subject, _masks: Masks) -> Facts:
    return {}


def _write_refused(note: Note, _subject: Subject, _masks: Masks) -> Facts:
    owner, wanted, state, fence, known = note.rest
    return {"worker": owner, "wanted": wanted, "state": state, "fence": fence, "known_fence": known}


def _notice_refused(note: Note, _subject: Subject, _masks: Masks) -> Facts:
    owner, fence, state, known = note.rest
    return {"worker": owner, "state": state or "unknown", "fence": fence, "known_fence": known}


def _unknown(note: Note) -> Facts:
    """Tell of a note that this release does not know, or that somebody forged."""
    return {"kind": "unknown", "told": value_text(" ".join((note.kind, *note.rest)))}


_TELLERS: Final[Mapping[str, Callable[[Note, Subject, Masks], Facts]]] = {
    "requested": _requested,
    "refused": _refused,
    "claimed": _claimed,
    "settled": _settled,
    "decided": _decided,
    "edited": _edited,
    "queued": _queued,
    "allowed": _allowed,
    "revoked": _revoked,
    "withdrawn": _withdrawn,
    "answered": _answered,
    "erased": _erased,
    "write_refused": _write_refused,
    "notice_refused": _notice_refused,
}

#: Every kind of line there is.
KINDS: Final = frozenset({*_TELLERS, _UNTRUSTED, "unknown", "doubt", "seal"})


def _subject_of(signer: Signer, key: str, record: Any) -> Subject:
    """Read the record of a call; `_UNKNOWN` when it has none."""
    text, signature, asked, asked_signature = record or [b""] * 4
    if not text or not signature:
        return _UNKNOWN
    spec, first = _spec_of(signer, key, text, signature), None
    if asked and asked_signature:
        first = _spec_of(signer, key, asked, asked_signature)
    return Subject(
        spec,
        signature.decode(errors="replace") if spec else "",
        asked=first,
        asked_signature=asked_signature.decode(errors="replace") if first else "",
        identity=_identity(spec) if spec else {},
    )


def _spec_of(signer: Signer, key: str, text: bytes, signature: bytes) -> Spec | None:
    if not signer.verify(text, signature.decode(errors="replace")):
        return None
    try:
        spec = Spec.from_bytes(text)
    except (ValueError, LookupError, TypeError):
        return None
    return spec if (spec.turn_id, spec.index) == split_call_key(key) else None


def _identity(spec: Spec) -> Facts:
    return {
        "call_id": spec.call_id,
        "principal": spec.context.principal,
        "tenant": spec.context.tenant,
        "conversation": spec.conversation_id,
    }


def _refused_subject(signer: Signer, key: str, text: Any) -> Subject:
    refusal = open_refusal(signer, key, text) if isinstance(text, bytes) else None
    if refusal is None:
        return _UNKNOWN
    identity = {
        "tool": refusal.name,
        "call_id": refusal.call_id,
        "principal": refusal.principal,
        "tenant": refusal.tenant,
        "conversation": refusal.conversation_id,
    }
    return Subject(refusal=refusal, identity=identity)


def _is_key(key: str) -> bool:
    turn_id, _, position = key.rpartition(":")
    # What somebody else wrote into the stream may be no text that a command can be sent with.
    return bool(turn_id) and turn_id.isprintable() and position.isdecimal()
