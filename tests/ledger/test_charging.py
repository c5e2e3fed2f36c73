"""Charges against a plain model of them: the script refuses what that would refuse."""

from __future__ import annotations

import itertools
from collections import Counter, defaultdict
from dataclasses import dataclass, field

from hypothesis import HealthCheck, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from tests.ledger.samples import Bench, make_spec
from toolferry import CallState, Effect, Outcome, ToolResult
from toolferry_ledger import Account, Charge, Charges, Repeats, Settlement, SubmitReply

NOTHING = ToolResult(call_id="", name="", outcome=Outcome.DENIED, effect=Effect.NONE)
#: What each unit allows, in tenths.
LIMITS = {"calls": 60, "cost": 45, "seconds": 200}
TELL, DENY = 3, 5
#: Each example counts for conversations of its own.
EXAMPLES = itertools.count()

CALL = st.tuples(
    st.integers(0, 20),  # cost, tenths
    st.integers(1, 40),  # seconds, tenths
    st.sampled_from(["", "a", "b"]),  # fingerprint
)
TURN = st.tuples(st.sampled_from("xy"), st.lists(CALL, min_size=1, max_size=6), st.booleans())


@dataclass
class Model:
    """What is counted of each conversation, as anybody would write it down."""

    spent: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    made: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))

    def submit(
        self, whose: str, calls: list[tuple[int, int, str]]
    ) -> tuple[list[int], dict[int, int]]:
        """Give the positions that are refused, and which time it is for those that are told."""
        refused, told = [], {}
        for at, (cost, seconds, same) in enumerate(calls):
            asked = {"calls": 10, "cost": cost, "seconds": seconds}
            spent, time = self.spent[whose], self.made[whose][same] + 1
            over = any(spent[unit] + asked[unit] > LIMITS[unit] for unit in LIMITS)
            if over or (same and time >= DENY):
                refused.append(at)
                continue
            spent.update(asked)
            if same:
                self.made[whose][same] = time
            if same and time >= TELL:
                told[at] = time
        return refused, told


def charges_of(whose: str, calls: list[tuple[int, int, str]]) -> bytes:
    """Write down what the calls are counted with."""
    account = Account(
        name=f"conversation:0:1:t:{whose}",
        kept=60,
        lasting=True,
        limits={unit: limit / 10 for unit, limit in LIMITS.items()},
        refusals=dict.fromkeys(LIMITS, NOTHING),
    )
    repeats = Repeats(
        name=f"1:t:{whose}", kept=60, tell_at=TELL, deny_at=DENY, told=("<", ">"), refusal=NOTHING
    )
    written = {
        at: Charge(call_id=f"c{at}", name="f", cost=cost / 10, seconds=secs / 10, fingerprint=same)
        for at, (cost, secs, same) in enumerate(calls)
    }
    return Charges(accounts=(account,), repeats=repeats, calls=written).to_bytes()


def submit(bench: Bench, turn_id: str, whose: str, count: int, charges: bytes) -> SubmitReply:
    """Write a turn that is counted."""
    calls = [bench.submission(make_spec(turn_id, at)) for at in range(count)]
    reply = bench.ledger.submit(turn_id, b"{}", f"of {whose}", bench.inbox, calls, charges)
    assert reply is not None
    return reply


@hypothesis_settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(turns=st.lists(TURN, max_size=12))
def test_the_script_counts_as_the_model_does(
    bench: Bench, turns: list[tuple[str, list[tuple[int, int, str]], bool]]
) -> None:
    """Whatever the turns; one that is submitted twice is counted once."""
    model, example = Model(), next(EXAMPLES)

    for number, (whose, calls, again) in enumerate(turns):
        turn_id, talk = f"t{example}-{number}", f"{whose}{example}"
        refused, told = model.submit(whose, calls)
        charges = charges_of(talk, calls)
        reply = submit(bench, turn_id, talk, len(calls), charges)
        if again:
            assert not submit(bench, turn_id, talk, len(calls), charges).created

        prefix = bench.ledger.settings.key_prefix
        notes = {
            at: bench.ledger.client.hget(f"{prefix}call:{turn_id}:{at}", "note")
            for at in range(len(calls))
        }
        assert sorted(reply.refused) == refused
        assert {at: note for at, note in notes.items() if note} == {
            at: f'["<{time}>"]'.encode() for at, time in told.items()
        }


def test_a_turn_of_which_nothing_is_left_is_kept_and_ends(bench: Bench) -> None:
    """Each call has its result at once, and the turn is over."""
    charges = charges_of("x", [(46, 1, "")] * 3)

    reply = submit(bench, "t", "x", 3, charges)

    found = bench.ledger.attach("t")
    assert found is not None
    assert (found.open, reply.rings) == (0, [])
    assert found.results == reply.refused
    assert found.results[2].startswith(b'{"call_id":"c2","name":"f","schema_version":1')


def test_what_is_told_stands_in_every_result(bench: Bench) -> None:
    """Whoever writes it; one that is no JSON object is left as it is."""
    charges = charges_of("x", [(1, 1, "a")] * 4)
    reply = submit(bench, "t", "x", 4, charges)
    claims = bench.claim(reply.rings)

    bench.finish(claims[2])
    broken = Settlement(claims[3].call_key, claims[3].fence, CallState.FAILED, b"no JSON")
    bench.ledger.settle([broken])

    found = bench.ledger.attach("t")
    assert found is not None
    assert found.results[2].endswith(b',"notes":["<3>"]}')
    assert found.results[3] == b"no JSON"
