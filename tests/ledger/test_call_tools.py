"""The desk of the call tools: how a call stands, for those who may know."""

from __future__ import annotations

from typing import Any

import pytest

from tests.ledger.samples import Bench
from toolferry import Context, Severity, ToolError, lint
from toolferry_ledger import Bell, CallDesk, Canceller, call_tools

#: Who asks in these tests, and where.
HOME: dict[str, Any] = {
    "context": Context(tenant="acme", principal="ann"),
    "conversation_id": "chat",
}


@pytest.fixture
def desk(bench: Bench) -> CallDesk:
    """Give a desk."""
    canceller = Canceller(bench.ledger, Bell(bench.ledger.settings), bench.signer)
    return CallDesk(bench.ledger, canceller, bench.signer)


def test_a_running_call_is_told_with_its_progress(bench: Bench, desk: CallDesk) -> None:
    """As its handler reported it last."""
    bench.submit("asker", **HOME)
    (claim,) = bench.claim(bench.submit("t", name="export", **HOME).rings)
    bench.ledger.progress("t:0", claim.fence, 0.5, "half way")

    told = desk.read("t:0", "asker:0")

    assert told == {
        "handle": "t:0",
        "tool": "export",
        "state": "running",
        "attempt": 1,
        "progress": {"fraction": 0.5, "message": "half way"},
    }


def test_an_ended_call_is_told_with_what_its_model_would_have_read(
    bench: Bench, desk: CallDesk
) -> None:
    """Its envelope."""
    bench.submit("asker", **HOME)
    (claim,) = bench.claim(bench.submit("t", **HOME).rings)
    bench.finish(claim)

    told = desk.read("t:0", "asker:0")

    assert (told["state"], told["result"]) == ("succeeded", {"ok": True, "content": "done"})


def test_a_queued_call_is_cancelled_at_once(bench: Bench, desk: CallDesk) -> None:
    """And its result tells so."""
    bench.submit("asker", **HOME)
    bench.submit("t", **HOME)

    told = desk.cancel("t:0", "asker:0")

    assert (told["cancellation"], told["state"]) == ("cancelled", "cancelled")
    assert told["result"]["error_code"] == "cancelled"
    assert desk.cancel("t:0", "asker:0")["cancellation"] == "ended"


def test_a_running_call_is_told_to_stop(bench: Bench, desk: CallDesk) -> None:
    """Its end follows."""
    bench.submit("asker", **HOME)
    bench.claim(bench.submit("t", **HOME).rings)

    assert desk.cancel("t:0", "asker:0")["cancellation"] == "stopping"


@pytest.mark.parametrize(
    "elsewhere",
    [
        {"context": Context(tenant="other", principal="ann")},
        {"context": Context(tenant="acme", principal="bob")},
        {"conversation_id": "another"},
    ],
)
@pytest.mark.parametrize("act", ["read", "cancel"])
def test_a_handle_is_good_only_where_it_was_made(
    bench: Bench, desk: CallDesk, elsewhere: dict[str, Any], act: str
) -> None:
    """Elsewhere it is the same as one that nobody ever made, and nothing happens to the call."""
    bench.submit("asker", **{**HOME, **elsewhere})
    bench.submit("t", **HOME)

    with pytest.raises(ToolError) as refused:
        getattr(desk, act)("t:0", "asker:0")
    with pytest.raises(ToolError) as unknown:
        getattr(desk, act)("nobody:0", "asker:0")

    assert str(refused.value) == str(unknown.value).replace("nobody:0", "t:0")
    assert bench.state() == "queued"


@pytest.mark.parametrize("field", ["spec", "sig"])
def test_a_record_that_somebody_wrote_into_the_server_opens_nothing(
    bench: Bench, desk: CallDesk, field: str
) -> None:
    """Whose call it is, only a signed record says."""
    bench.submit("asker", **HOME)
    bench.submit("t", **HOME)
    bench.ledger.client.hset(f"{bench.ledger.settings.key_prefix}call:t:0", field, "forged")

    with pytest.raises(ToolError, match="no_such_call"):
        desk.read("t:0", "asker:0")


def test_the_linter_has_nothing_to_say_of_the_call_tools() -> None:
    """They are read by models like any other."""
    assert [one for one in lint(call_tools()) if one.severity is not Severity.ADVICE] == []
