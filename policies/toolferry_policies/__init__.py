"""Toolferry's rules: what a call may do before it runs, and what follows an attempt. Pure."""

from __future__ import annotations

from toolferry_policies.budgets import Budget, BudgetScope, exhausted
from toolferry_policies.counting import NO_LIMITS, Limits
from toolferry_policies.dead import FAULTS, is_dead_letter
from toolferry_policies.deciding import Approver, refuse_to_approve, refuse_to_decide
from toolferry_policies.declared import (
    NO_POLICY,
    Policy,
    PolicyFault,
    PolicyInvalid,
    read_policy,
)
from toolferry_policies.effects import EFFECTS, Care, Happening, Treatment, care_of, treatment
from toolferry_policies.facts import Facts
from toolferry_policies.hook_facts import Aftermath, EndedCall, Underway
from toolferry_policies.hook_verdicts import Accept, Block, Reception, Replace
from toolferry_policies.judgement import Judgement, Ruling
from toolferry_policies.known import NOTHING_KNOWN, Known
from toolferry_policies.limits import attempt_limit
from toolferry_policies.loops import (
    DEFAULT_GUARD,
    NO_GUARD,
    LoopGuard,
    fingerprint,
    repeated,
    told,
)
from toolferry_policies.pipeline import (
    CHECKS,
    MAX_CHANGES,
    Check,
    ask_all,
    broken,
    changed,
    judge,
    name_of,
    read_verdict,
    told_of,
    too_many_changes,
)
from toolferry_policies.quieting import quiet_faults, without_secrets
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
from toolferry_policies.secrecy import (
    NOTHING,
    Hidden,
    brings_secrets,
    give_up_secrecy,
    hidden_of,
    is_kept,
    secrets_of,
)
from toolferry_policies.standing import Allowance, covers, refuse_to_allow, refuse_to_answer
from toolferry_policies.verdict import Deny, Modify, Permit, RequireApproval, Verdict

__all__ = [
    "CHECKS",
    "DEFAULT_GUARD",
    "EFFECTS",
    "FAULTS",
    "HIDDEN",
    "MAX_CHANGES",
    "NOTHING",
    "NOTHING_KNOWN",
    "NO_GUARD",
    "NO_LIMITS",
    "NO_POLICY",
    "Accept",
    "Aftermath",
    "Again",
    "Allowance",
    "Approver",
    "AttemptEnd",
    "Block",
    "Budget",
    "BudgetScope",
    "Care",
    "Check",
    "Deny",
    "Ended",
    "EndedCall",
    "Facts",
    "Happening",
    "Hidden",
    "Judgement",
    "Known",
    "Limits",
    "LoopGuard",
    "Modify",
    "NextStep",
    "Permit",
    "Policy",
    "PolicyFault",
    "PolicyInvalid",
    "Reception",
    "Replace",
    "RequireApproval",
    "Ruling",
    "Treatment",
    "Underway",
    "Verdict",
    "ask_all",
    "attempt_limit",
    "backoff",
    "brings_secrets",
    "broken",
    "care_of",
    "changed",
    "covers",
    "exhausted",
    "fingerprint",
    "give_up_secrecy",
    "happening_of",
    "hidden_of",
    "is_dead_letter",
    "is_kept",
    "judge",
    "mask_keys",
    "name_of",
    "next_step",
    "quiet_faults",
    "read_policy",
    "read_verdict",
    "redact",
    "refusal",
    "refuse_to_allow",
    "refuse_to_answer",
    "refuse_to_approve",
    "refuse_to_decide",
    "repeated",
    "secrets_of",
    "told",
    "told_of",
    "too_many_changes",
    "treatment",
    "without_secrets",
]
