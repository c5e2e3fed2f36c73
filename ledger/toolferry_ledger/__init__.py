"""The ledger: the truth about every call, kept in Redis or Valkey."""

from __future__ import annotations

from toolferry_ledger.aio import AsyncLedger
from toolferry_ledger.allowance_records import StandingApproval
from toolferry_ledger.allowing import Allowing
from toolferry_ledger.approvals import Approvals
from toolferry_ledger.artifacts import read_artifact
from toolferry_ledger.asking import PendingApproval
from toolferry_ledger.bell import TASK_NAME, Bell
from toolferry_ledger.broker import broker_fault
from toolferry_ledger.call_tools import CALL_TOOL_NAMES, CallDesk, call_tools
from toolferry_ledger.cancelling import Canceller, Withdrawal
from toolferry_ledger.cases import CallCase, read_case
from toolferry_ledger.catalog import Catalog
from toolferry_ledger.charging import Account, Charge, Charges, Repeats
from toolferry_ledger.connection import connect_alone, connect_briefly
from toolferry_ledger.consulting import Calls, Consulting, JudgeAll, judge_alone
from toolferry_ledger.dead_letters import DeadLetters
from toolferry_ledger.decisions import Decision, DecisionRefused
from toolferry_ledger.definitions import Definitions, write_definitions
from toolferry_ledger.durability import secure_claims
from toolferry_ledger.editing import Jury
from toolferry_ledger.endings import (
    cancelled_end,
    conclude,
    distrust,
    limit_end,
    lost_end,
    overdue_end,
    read_result,
    result_text,
    write_note,
)
from toolferry_ledger.events import NEWEST, OLDEST, LedgerEvent
from toolferry_ledger.grants import Grant, digest_of, write_grants
from toolferry_ledger.json_text import read_json, write_json
from toolferry_ledger.judging_again import judge_again
from toolferry_ledger.keeping import Keeping
from toolferry_ledger.keys import KEPT, queue_name
from toolferry_ledger.late import LateRecord, confirm_late, read_answers, read_late
from toolferry_ledger.ledger import Ledger
from toolferry_ledger.letters import (
    CallStory,
    CallUnknown,
    DeadLetter,
    LetterFilter,
    PastAttempt,
    Replay,
)
from toolferry_ledger.logs import get_log
from toolferry_ledger.mismatch import (
    Mismatch,
    find_mismatches,
    find_unserved,
    tell_mismatches,
)
from toolferry_ledger.offers import LiveOffer, Offer, Offers
from toolferry_ledger.overview import Overview, StateView, WorkerView
from toolferry_ledger.policy_file import (
    PolicyFile,
    PolicySource,
    policy_file,
    policy_path,
    read_policy_file,
)
from toolferry_ledger.progress import Progress, read_progress
from toolferry_ledger.purging import Conversation, Purged, Purger, Tenant
from toolferry_ledger.questions import Asker, Question, Silence
from toolferry_ledger.reaper import SWEEP_EVERY, Reaper
from toolferry_ledger.records import (
    Approved,
    Claim,
    ClaimReply,
    DueReply,
    Ring,
    Settlement,
    SettleReply,
    Submission,
    SubmitReply,
    Suspect,
    SweepReply,
    TurnRecord,
)
from toolferry_ledger.redacting import hiding, redact_event
from toolferry_ledger.refusal import Refusal
from toolferry_ledger.replaying import Replayed
from toolferry_ledger.result_desk import LedgerArchive, ResultDesk
from toolferry_ledger.result_tools import RESULT_TOOL_NAMES, result_tools
from toolferry_ledger.route import Pool, Route
from toolferry_ledger.sealing import open_secrets, reseal, seal_secrets
from toolferry_ledger.server import load_settings
from toolferry_ledger.settings import Settings
from toolferry_ledger.signing import Signer, Untrusted
from toolferry_ledger.spec import Spec, open_spec
from toolferry_ledger.standing import AllowanceRefused, StandingApprovals
from toolferry_ledger.stories import read_story
from toolferry_ledger.tokens import TOKEN, read_token, write_token
from toolferry_ledger.transport import transport_options
from toolferry_ledger.vault import Vault

__all__ = [
    "CALL_TOOL_NAMES",
    "KEPT",
    "NEWEST",
    "OLDEST",
    "RESULT_TOOL_NAMES",
    "SWEEP_EVERY",
    "TASK_NAME",
    "TOKEN",
    "Account",
    "AllowanceRefused",
    "Allowing",
    "Approvals",
    "Approved",
    "Asker",
    "AsyncLedger",
    "Bell",
    "CallCase",
    "CallDesk",
    "CallStory",
    "CallUnknown",
    "Calls",
    "Canceller",
    "Catalog",
    "Charge",
    "Charges",
    "Claim",
    "ClaimReply",
    "Consulting",
    "Conversation",
    "DeadLetter",
    "DeadLetters",
    "Decision",
    "DecisionRefused",
    "Definitions",
    "DueReply",
    "Grant",
    "JudgeAll",
    "Jury",
    "Keeping",
    "LateRecord",
    "Ledger",
    "LedgerArchive",
    "LedgerEvent",
    "LetterFilter",
    "LiveOffer",
    "Mismatch",
    "Offer",
    "Offers",
    "Overview",
    "PastAttempt",
    "PendingApproval",
    "PolicyFile",
    "PolicySource",
    "Pool",
    "Progress",
    "Purged",
    "Purger",
    "Question",
    "Reaper",
    "Refusal",
    "Repeats",
    "Replay",
    "Replayed",
    "ResultDesk",
    "Ring",
    "Route",
    "Settings",
    "SettleReply",
    "Settlement",
    "Signer",
    "Silence",
    "Spec",
    "StandingApproval",
    "StandingApprovals",
    "StateView",
    "Submission",
    "SubmitReply",
    "Suspect",
    "SweepReply",
    "Tenant",
    "TurnRecord",
    "Untrusted",
    "Vault",
    "Withdrawal",
    "WorkerView",
    "broker_fault",
    "call_tools",
    "cancelled_end",
    "conclude",
    "confirm_late",
    "connect_alone",
    "connect_briefly",
    "digest_of",
    "distrust",
    "find_mismatches",
    "find_unserved",
    "get_log",
    "hiding",
    "judge_again",
    "judge_alone",
    "limit_end",
    "load_settings",
    "lost_end",
    "open_secrets",
    "open_spec",
    "overdue_end",
    "policy_file",
    "policy_path",
    "queue_name",
    "read_answers",
    "read_artifact",
    "read_case",
    "read_json",
    "read_late",
    "read_policy_file",
    "read_progress",
    "read_result",
    "read_story",
    "read_token",
    "redact_event",
    "reseal",
    "result_text",
    "result_tools",
    "seal_secrets",
    "secure_claims",
    "tell_mismatches",
    "transport_options",
    "write_definitions",
    "write_grants",
    "write_json",
    "write_note",
    "write_token",
]
