"""Judgements name no secret of their calls."""

from __future__ import annotations

import time

from toolferry import Context, ErrorCode, Fault, ToolCall
from toolferry_policies import HIDDEN, Deny, Hidden, Judgement, without_secrets

SECRET = "c4na-ry-0815"  # noqa: S105 -- a sample


def test_no_part_of_a_fault_names_a_secret() -> None:
    """A model may have put it in the place of a name."""
    fault = Fault(path=f"{SECRET}.x", expected=f"no {SECRET}", got=SECRET)
    denied = Deny(ErrorCode.SCHEMA, f"{SECRET} is unknown", f"not {SECRET}", (fault,), SECRET)
    call, context = ToolCall("c", "add", {SECRET: 1}), Context(secrets={"key": SECRET})

    quiet = without_secrets(Judgement(denied, "arguments_fit", {}), None, call, context)

    assert SECRET not in repr(quiet)
    assert isinstance(quiet.verdict, Deny)
    assert quiet.verdict.faults[0].path == "[redacted].x"


def test_what_hides_a_large_secret_is_made_in_no_time() -> None:
    """A model may fill a secret argument with as much as it likes; a pattern would take 5 s."""
    secret = "".join(map(str, range(60_000)))
    began = time.process_time()

    told = Hidden((secret,)).out_of(f"with {secret}!")

    assert told == f"with {HIDDEN}!"
    assert time.process_time() - began < 1
