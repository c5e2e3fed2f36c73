"""Late results: they wait until somebody has taken them for good."""

from __future__ import annotations

import threading

from tests.ledger.samples import Bench, make_spec
from toolferry_ledger import Claim, confirm_late, read_answers, read_late, write_json

META = write_json({"conversation_id": "chat"})


def end_late(bench: Bench, turn_id: str = "t", count: int = 1) -> list[Claim]:
    """Have all calls of a turn answered, then ended."""
    calls = [bench.submission(make_spec(turn_id, at)) for at in range(count)]
    reply = bench.ledger.submit(turn_id, META, "digest", bench.inbox, calls)
    assert reply is not None
    claims = bench.claim(reply.rings)
    bench.ledger.answer(turn_id, dict.fromkeys(range(count), b"{}"))
    for claim in reversed(claims):
        bench.finish(claim)
    return claims


def late_keys(bench: Bench) -> list[str]:
    """List what waits for the conversation."""
    return [one.call_key for one in read_late(bench.ledger, "a", "chat")]


def test_late_results_come_in_the_order_of_their_ends(bench: Bench) -> None:
    """Each with what its dispatcher wrote about the turn."""
    end_late(bench, count=3)

    found = read_late(bench.ledger, "a", "chat")

    assert [one.call_key for one in found] == ["t:2", "t:1", "t:0"]
    assert {one.meta for one in found} == {META}
    assert all(b'"content":"done"' in one.result for one in found)


def test_a_late_result_comes_again_until_it_is_confirmed(bench: Bench) -> None:
    """Who dies before it is stored loses nothing."""
    end_late(bench)

    assert late_keys(bench) == late_keys(bench) == ["t:0"]
    assert confirm_late(bench.ledger, "a", "chat", ["t:0"]) == {"t:0"}
    assert late_keys(bench) == []


def test_of_several_who_confirm_the_same_one_exactly_one_gets_it(bench: Bench) -> None:
    """However they fall together."""
    end_late(bench)
    got: list[set[str]] = []

    def confirm() -> None:
        """Confirm the one late result."""
        got.append(confirm_late(bench.ledger, "a", "chat", ["t:0"]))

    confirmers = [threading.Thread(target=confirm) for _ in range(8)]

    for one in confirmers:
        one.start()
    for one in confirmers:
        one.join()

    assert sorted(got, key=len) == [set()] * 7 + [{"t:0"}]


def test_conversations_have_late_results_of_their_own(bench: Bench) -> None:
    """And one that has none is no error."""
    end_late(bench)

    assert read_late(bench.ledger, "a", "another") == []
    assert confirm_late(bench.ledger, "a", "another", ["t:0"]) == set()
    assert late_keys(bench) == ["t:0"]


def test_tenants_have_conversations_of_their_own(bench: Bench) -> None:
    """Also where two of them have given theirs the same name."""
    end_late(bench)

    assert read_late(bench.ledger, "b", "chat") == []
    assert late_keys(bench) == ["t:0"]


def test_a_late_result_whose_record_has_expired_is_passed_over(bench: Bench) -> None:
    """It is forgotten, and those beside it come."""
    end_late(bench, "old")
    end_late(bench)
    bench.ledger.client.delete(f"{bench.ledger.settings.key_prefix}turn:old")

    assert late_keys(bench) == ["t:0"]
    assert confirm_late(bench.ledger, "a", "chat", ["old:0"]) == set()


def test_the_answers_of_a_turn_are_read_by_position(bench: Bench) -> None:
    """Those that there are."""
    bench.submit(count=2)
    bench.ledger.answer("t", {1: b"{}"})

    assert read_answers(bench.ledger, "t", [0, 1]) == {1: b"{}"}
    assert read_answers(bench.ledger, "none", [0]) == {}
    assert read_answers(bench.ledger, "t", []) == {}
