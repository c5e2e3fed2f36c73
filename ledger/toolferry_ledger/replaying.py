"""Replays: how people repeat a call that has ended. Pure.

1. A replay is a call of its own, in a turn of its own: `{turn}.{position}~{number}`. The answer
   that the model was given stays the answer; no conversation hears of the replay.
2. It carries the idempotency key of the call that it repeats, and stands in line as that one did:
   same pool, priority, resource, limit and rate. Its deadline begins anew.
3. Its number counts the replays there are, so that two people who repeat a call at the same time
   make one replay, not two.
4. A call that may have happened and must not happen twice is repeated only when somebody says that
   it may.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from toolferry import (
    SCHEMA_VERSION,
    Concurrency,
    Effect,
    EffectClass,
    Rate,
    ResultFormat,
    call_key,
    split_call_key,
)
from toolferry_ledger.json_text import write_json
from toolferry_ledger.letters import CallStory
from toolferry_ledger.records import Submission
from toolferry_ledger.route import Route
from toolferry_ledger.sealing import reseal
from toolferry_ledger.signing import Signer
from toolferry_ledger.spec import Spec


@dataclass(frozen=True, slots=True)
class Replayed:
    """What became of the wish to repeat a call."""

    call_key: str
    #: The key of the replay; empty when there is none.
    replay: str = ""
    #: Why there is none, one sentence without its full stop.
    refusal: str = ""
    #: Whether it was refused only because nobody said that it may happen twice.
    unconfirmed: bool = False


def refuse_replay(story: CallStory) -> str:
    """Say why a call cannot be repeated, whoever wants it; empty when it can."""
    if story.spec is None:
        return "its record cannot be trusted, so nothing of it is run"
    if story.state.is_open:
        return "it has not ended yet; wait for it, or cancel it first"
    running = next((replay for replay in story.replays if replay.is_open), None)
    if running is not None:
        return f"its replay {running.call_key} has not ended yet"
    return ""


def refuse_letter(story: CallStory) -> str:
    """Say why a call cannot be replayed as a dead letter; empty when it can."""
    if not story.dead:
        return "it is no dead letter; toolferry retry repeats any call that has ended"
    if story.settled_by:
        return f"its replay {story.settled_by} has succeeded already"
    return ""


def may_happen_twice(story: CallStory) -> bool:
    """Tell whether a replay could do a second time what must be done once at most."""
    spec = story.spec
    if spec is None or spec.repeatable or spec.effect_class is EffectClass.READ:
        return False
    return story.effects != {Effect.NONE}


def replay_spec(story: CallStory, spec: Spec, now: float) -> Spec:
    """Give the spec of the next replay of a call.

    Args:
        story: What is known of the call.
        spec: What it was to do.
        now: Server time, seconds since the epoch.
    """
    turn_id, position = split_call_key(story.call_key)
    return replace(
        spec,
        turn_id=f"{turn_id}.{position}~{len(story.replays) + 1}",
        index=0,
        issued_at=now,
        expires_at=now + spec.expires_at - spec.issued_at,
        # A replay of a replay has the idempotency key of the first call too.
        replay_of=spec.replay_of or story.call_key,
    )


def replay_submission(story: CallStory, spec: Spec, signer: Signer) -> Submission:
    """Write down a replay: it stands in line as the call did that it repeats."""
    text = (spec if story.spec is None else reseal(story.spec, spec, signer)).to_bytes()
    mode, _, resource = story.resource.partition(":")
    return Submission(
        spec=text,
        signature=signer.sign(text),
        route=Route.read(story.route),
        tool=spec.name,
        tenant=story.tenant,
        timeout=spec.timeout,
        deadline=spec.deadline,
        resource=resource if mode else None,
        writes=mode == "w",
        concurrency=_limit(story.cap),
        rate=_rate(story.rate),
        replay_of=story.call_key,
        awaits_approval=bool(spec.approval),
    )


def replay_meta(spec: Spec) -> bytes:
    """Give what is kept with the turn of a replay, so that a dispatcher can attach to it."""
    call = [spec.call_id, spec.name, ResultFormat.ENVELOPE.value, str(spec.pool), spec.deadline]
    return write_json(
        {
            "schema_version": SCHEMA_VERSION,
            "provider": "plain",
            "kind": "calls",
            "message": {},
            "text": "",
            "calls": [call],
            "conversation_id": spec.conversation_id,
            "tenant": spec.context.tenant,
            "labels": {"replay_of": spec.replay_of},
        }
    )


def key_of(spec: Spec) -> str:
    """Name the call of a spec."""
    return call_key(spec.turn_id, spec.index)


def _limit(cap: str) -> Concurrency | None:
    limit, _, key = cap.partition(":")
    return Concurrency(int(limit), key) if limit else None


def _rate(rate: str) -> Rate | None:
    limit, _, rest = rate.partition("/")
    per, _, key = rest.partition(":")
    return Rate(int(limit), int(per) / 1000, key) if limit else None
