"""Toolferry's rules: what a call may do before it runs, and what follows an attempt. Pure."""

from __future__ import annotations

from toolferry_policies.dead import FAULTS, is_dead_letter
from toolferry_policies.facts import Facts
from toolferry_policies.limits import attempt_limit
from toolferry_policies.pipeline import CHECKS, Check, judge
from toolferry_policies.refusals import refusal
from toolferry_policies.retries import Again, AttemptEnd, Ended, NextStep, backoff, next_step
from toolferry_policies.verdict import Deny, Permit, Verdict

__all__ = [
    "CHECKS",
    "FAULTS",
    "Again",
    "AttemptEnd",
    "Check",
    "Deny",
    "Ended",
    "Facts",
    "NextStep",
    "Permit",
    "Verdict",
    "attempt_limit",
    "backoff",
    "is_dead_letter",
    "judge",
    "next_step",
    "refusal",
]
