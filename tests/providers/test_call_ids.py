"""Every call of a response has an id of its own."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from toolferry_dispatcher.providers.given import settle_ids
from toolferry_dispatcher.providers.openai_chat import OpenAIChat

IDS = st.lists(st.one_of(st.none(), st.integers(), st.sampled_from(["a", "b", " ", "", "\ud800"])))


@given(IDS, st.text())
def test_ids_are_unique_and_as_many_as_the_calls(given_ids: list[object], seed: str) -> None:
    """Whatever ids came, results can be told apart."""
    ids = settle_ids(given_ids, lambda: seed)

    assert len(ids) == len(set(ids)) == len(given_ids)
    assert all(call_id.strip() for call_id in ids)


@given(IDS, st.text())
def test_the_first_call_with_an_id_keeps_it(given_ids: list[object], seed: str) -> None:
    """A made id never takes the place of a given one, not even of a later one."""
    ids = settle_ids(given_ids, lambda: seed)

    for call_id in ("a", "b"):
        if call_id in given_ids:
            assert ids.index(call_id) == given_ids.index(call_id)


@given(IDS, st.text())
def test_the_same_response_gets_the_same_ids_again(given_ids: list[object], seed: str) -> None:
    """A turn that is read twice, or by another process, is the same turn."""
    assert settle_ids(given_ids, lambda: seed) == settle_ids(given_ids, lambda: seed)


def test_a_made_id_gives_way_to_a_given_one() -> None:
    """A later call that really has the id that would be made keeps it."""
    [made] = settle_ids([None], lambda: "seed")

    ids = settle_ids([None, made], lambda: "seed")

    assert ids[1] == made
    assert ids[0] != made


def test_two_responses_without_ids_get_different_ones() -> None:
    """Ids are made from the response's own id, so that they do not recur in a conversation."""
    call = {"function": {"name": "now", "arguments": "{}"}}

    first, second = (
        OpenAIChat().read({"id": name, "choices": [{"message": {"tool_calls": [call]}}]})
        for name in ("r1", "r2")
    )

    assert first.calls[0].call.call_id != second.calls[0].call.call_id
