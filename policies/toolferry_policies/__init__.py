"""Toolferry's rules: what a call may do before it runs, and what follows an attempt. Pure."""

from __future__ import annotations

from toolferry_policies.dead import FAULTS, is_dead_letter
from toolferry_policies.deciding import Approver, refuse_to_approve, refuse_to_decide
from toolferry_policies.effects import EFFECTS, Care, Happening, Treatment, care_of, treatment
from toolferry_policies.facts import Facts
from toolferry_policies.judgement import Judgement, Ruling
from toolferry_policies.limits import attempt_limit
from toolferry_policies.pipeline import CHECKS, Check, judge, name_of
from toolferry_policies.redaction import HIDDEN, mask_keys, redact
from toolferry_policies.refusals import refusal
from toolferry_policies.retries import (
    Again,
    AttemptEnd,
    Ended,
    NextStep,
    backoff,
    happening_of,
    next_step,
)
from toolferry_policies.verdict import Deny, Modify, Permit, RequireApproval, Verdict

__all__ = [
    "CHECKS",
    "EFFECTS",
    "FAULTS",
    "HIDDEN",
    "Again",
    "Approver",
    "AttemptEnd",
    "Care",
    "Check",
    "Deny",
    "Ended",
    "Facts",
    "Happening",
    "Judgement",
    "Modify",
    "NextStep",
    "Permit",
    "RequireApproval",
    "Ruling",
    "Treatment",
    "Verdict",
    "attempt_limit",
    "backoff",
    "care_of",
    "happening_of",
    "is_dead_letter",
    "judge",
    "mask_keys",
    "name_of",
    "next_step",
    "redact",
    "refusal",
    "refuse_to_approve",
    "refuse_to_decide",
    "treatment",
]
