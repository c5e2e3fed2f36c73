"""Replays: what operators have forbidden since is not repeated."""

from __future__ import annotations

from contextlib import closing

from tests.ledger.samples import Bench
from toolferry import Lane, Tool
from toolferry_ledger import Bell, DeadLetters, Jury
from toolferry_policies import NO_POLICY, read_policy

READ = Tool(name="read", lane=Lane.ASYNC)


def test_what_operators_have_forbidden_since_is_not_repeated(bench: Bench) -> None:
    """Once they allow it again it is."""
    [claim] = bench.claim(bench.submit(name="read", tool_digest=READ.digest).rings)
    bench.finish(claim)
    off = read_policy(b"[tools.read]\nenabled = false", "policy.toml")
    with closing(Bell(bench.ledger.settings)) as bell:
        strict, lenient = (
            DeadLetters(bench.ledger, bench.signer, bell, Jury({"read": READ}.get, policy))
            for policy in (off, NO_POLICY)
        )

        [refused] = strict.retry([claim.call_key])
        [replayed] = lenient.retry([claim.call_key])

    assert (refused.replay, refused.refusal[:18]) == ("", "it may not run so:")
    assert replayed.replay


def test_what_nobody_can_judge_any_more_is_not_repeated(bench: Bench) -> None:
    """Operators have changed their policy, and no worker that has the tool is alive."""
    [claim] = bench.claim(bench.submit(name="read", policy="0123456789ab").rings)
    bench.finish(claim)
    with closing(Bell(bench.ledger.settings)) as bell:
        [refused] = DeadLetters(bench.ledger, bench.signer, bell).retry([claim.call_key])

    assert refused.replay == ""
    assert "the tool read that it was made for is not known here" in refused.refusal
