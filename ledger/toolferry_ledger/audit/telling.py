"""Telling: from the notes of scripts to what the lines of the audit say.

A note is short, so that a script loses no time. Who asked, for whom and with what stands in the
call's signed record, which is read here, a moment later.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

import redis

from toolferry import split_call_key
from toolferry_ledger.audit.entries import Entry, Note
from toolferry_ledger.decisions import Decision
from toolferry_ledger.json_text import read_json
from toolferry_ledger.refusal import Refusal, open_refusal
from toolferry_ledger.shown import shown_arguments, value_text
from toolferry_ledger.signing import Signer
from toolferry_ledger.spec import Spec

#: Gives the parameters of a tool by its name; None when nobody knows them.
Schemas: TypeAlias = Callable[[str], Mapping[str, Any] | None]
Facts: TypeAlias = dict[str, Any]

#: Where a decision tells how many uses its standing approval has left.
_LEFT: Final = 3
#: The code of a call whose record could not be believed.
_UNTRUSTED: Final = "untrusted"


@dataclass(frozen=True, slots=True)
class Subject:
    """What is known of the call that a note is about."""

    spec: Spec | None = None
    #: The signature of the spec, which stands for its exact arguments.
    signature: str = ""
    refusal: Refusal | None = None
    #: The same as it was requested, before a person edited it.
    asked: Spec | None = None
    asked_signature: str = ""


def read_subjects(
    client: redis.Redis, prefix: str, signer: Signer, entries: Iterable[Entry]
) -> dict[str, Subject]:
    """Read the signed records of all calls that entries tell of: one round trip."""
    kinds: dict[str, set[str]] = {}
    for entry in entries:
        for note in entry.notes:
            kinds.setdefault(note.call_key, set()).add(note.kind)
    keys = [key for key in kinds if _is_key(key)]
    with client.pipeline(transaction=False) as pipe:
        for key in keys:
            turn_id, position = split_call_key(key)
            pipe.hmget(f"{prefix}call:{key}", "spec", "sig", "asked", "asked_sig")
            pipe.hget(f"{prefix}turn:{turn_id}", f"d:{position}")
        rows = pipe.execute(raise_on_error=False)
    return {
        key: _subject_of(signer, key, record, refusal)
        for key, record, refusal in zip(keys, rows[::2], rows[1::2], strict=True)
    }


def tell(entry: Entry, subjects: Mapping[str, Subject], schemas: Schemas) -> Iterator[Facts]:
    """Give what the lines of an entry say, one for each thing that happened."""
    for note in entry.notes:
        subject = subjects.get(note.call_key, Subject())
        teller = _TELLERS.get(note.kind)
        told = _unknown(note) if teller is None else _told(teller, note, subject, schemas)
        facts = {"at": entry.at, "entry": entry.number, **_identity(note, subject), **told}
        yield {name: value for name, value in facts.items() if value is not None and value != ""}


def _told(
    teller: Callable[[Note, Subject, Schemas], Facts],
    note: Note,
    subject: Subject,
    schemas: Schemas,
) -> Facts:
    try:
        return teller(note, subject, schemas)
    except (ValueError, LookupError, TypeError):
        return _unknown(note)


def _identity(note: Note, subject: Subject) -> Facts:
    facts: Facts = {"kind": note.kind, "call": note.call_key, "tool": note.tool}
    if subject.spec is not None:
        spec = subject.spec
        return facts | {
            "call_id": spec.call_id,
            "principal": spec.context.principal,
            "tenant": spec.context.tenant,
            "conversation": spec.conversation_id,
        }
    if subject.refusal is not None:
        refusal = subject.refusal
        return facts | {
            "tool": refusal.name,
            "call_id": refusal.call_id,
            "principal": refusal.principal,
            "tenant": refusal.tenant,
            "conversation": refusal.conversation_id,
        }
    return facts


def _requested(note: Note, subject: Subject, schemas: Schemas) -> Facts:
    tenant, state = note.rest
    spec = subject.asked or subject.spec
    if spec is None:
        return {"tenant": tenant, "state": state, "record": "cannot be read or believed"}
    asked = bool(spec.approval)
    return {
        "arguments": shown_arguments(schemas(spec.name), spec.arguments),
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


def _refused(note: Note, subject: Subject, _schemas: Schemas) -> Facts:
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


def _claimed(note: Note, _subject: Subject, _schemas: Schemas) -> Facts:
    owner, attempt, verify = note.rest
    return {"worker": owner, "attempt": int(attempt), "purpose": verify}


def _settled(note: Note, _subject: Subject, _schemas: Schemas) -> Facts:
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


def _decided(note: Note, subject: Subject, schemas: Schemas) -> Facts:
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
        facts["arguments"] = shown_arguments(schemas(subject.spec.name), subject.spec.arguments)
        facts["signature"] = subject.signature
    return facts


def _edited(note: Note, _subject: Subject, schemas: Schemas) -> Facts:
    text, signature, said = note.rest
    spec, decision = Spec.from_bytes(text.encode()), Decision.from_bytes(said.encode())
    if (spec.turn_id, spec.index) != split_call_key(note.call_key):
        raise ValueError(note.call_key)
    return {
        "who": decision.who,
        "reason": value_text(decision.reason),
        "arguments": shown_arguments(schemas(spec.name), spec.arguments),
        "signature": signature,
        "changes": list(spec.changes),
    }


def _queued(note: Note, _subject: Subject, _schemas: Schemas) -> Facts:
    return {"before": note.rest[0], "state": "queued"}


def _allowed(note: Note, _subject: Subject, schemas: Schemas) -> Facts:
    told = read_json(note.rest[0].encode())
    names = ("principal", "tenant", "tool_version", "who", "until", "uses", "free")
    return {
        **{name: told[name] for name in names},
        "standing": told["id"],
        "arguments": shown_arguments(schemas(note.tool), told["pinned"]),
        "reason": value_text(told["note"]),
    }


def _revoked(note: Note, _subject: Subject, _schemas: Schemas) -> Facts:
    told = read_json(note.rest[0].encode())
    return {"standing": told["id"], "who": told.get("who", "")}


def _withdrawn(note: Note, _subject: Subject, _schemas: Schemas) -> Facts:
    owner, reason = note.rest
    return {"worker": owner, "reason": value_text(reason)}


def _answered(note: Note, _subject: Subject, _schemas: Schemas) -> Facts:
    return {"answer_bytes": int(note.rest[0])}


def _erased(_note: Note, _subject: Subject, _schemas: Schemas) -> Facts:
    return {}


def _write_refused(note: Note, _subject: Subject, _schemas: Schemas) -> Facts:
    owner, wanted, state, fence, known = note.rest
    return {"worker": owner, "wanted": wanted, "state": state, "fence": fence, "known_fence": known}


def _notice_refused(note: Note, _subject: Subject, _schemas: Schemas) -> Facts:
    owner, fence, state, known = note.rest
    return {"worker": owner, "state": state or "unknown", "fence": fence, "known_fence": known}


def _unknown(note: Note) -> Facts:
    """Tell of a note that this release does not know, or that somebody forged."""
    return {"kind": "unknown", "told": value_text(" ".join((note.kind, *note.rest)))}


_TELLERS: Final[Mapping[str, Callable[[Note, Subject, Schemas], Facts]]] = {
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


def _subject_of(signer: Signer, key: str, record: Any, refusal: Any) -> Subject:
    kept = open_refusal(signer, key, refusal) if isinstance(refusal, bytes) else None
    text, signature, asked, asked_signature = record if isinstance(record, list) else [b""] * 4
    if not text or not signature:
        return Subject(refusal=kept)
    spec, first = _spec_of(signer, key, text, signature), None
    if asked and asked_signature:
        first = _spec_of(signer, key, asked, asked_signature)
    return Subject(
        spec,
        signature.decode(errors="replace") if spec else "",
        asked=first,
        asked_signature=asked_signature.decode(errors="replace") if first else "",
    )


def _spec_of(signer: Signer, key: str, text: bytes, signature: bytes) -> Spec | None:
    if not signer.verify(text, signature.decode(errors="replace")):
        return None
    try:
        spec = Spec.from_bytes(text)
    except (ValueError, LookupError, TypeError):
        return None
    return spec if (spec.turn_id, spec.index) == split_call_key(key) else None


def _is_key(key: str) -> bool:
    turn_id, _, position = key.rpartition(":")
    return bool(turn_id) and position.isdecimal()
