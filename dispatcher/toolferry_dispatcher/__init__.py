"""The dispatcher: from a model's response to the results of its calls, by their call ids."""

from __future__ import annotations

from toolferry_dispatcher.aio import AsyncDispatcher, AsyncTurn
from toolferry_dispatcher.cancelling import OnTimeout
from toolferry_dispatcher.core import TurnConflict
from toolferry_dispatcher.dispatcher import Dispatcher
from toolferry_dispatcher.handle import TurnHandle, TurnState
from toolferry_dispatcher.late import LateResult
from toolferry_dispatcher.menu import Menu
from toolferry_dispatcher.options import DispatchOptions
from toolferry_dispatcher.providers import Dialect, Told, alias, detect, register_provider
from toolferry_dispatcher.reply import Ending, ReadCall, Reply, ReplyKind
from toolferry_dispatcher.undoing import UndoRefused
from toolferry_ledger import (
    AllowanceRefused,
    Approvals,
    DecisionRefused,
    PendingApproval,
    StandingApproval,
    Withdrawal,
    call_tools,
    result_tools,
)
from toolferry_policies import (
    DEFAULT_GUARD,
    NO_GUARD,
    NO_LIMITS,
    Approver,
    Budget,
    BudgetScope,
    Limits,
    LoopGuard,
)

__all__ = [
    "DEFAULT_GUARD",
    "NO_GUARD",
    "NO_LIMITS",
    "AllowanceRefused",
    "Approvals",
    "Approver",
    "AsyncDispatcher",
    "AsyncTurn",
    "Budget",
    "BudgetScope",
    "DecisionRefused",
    "Dialect",
    "DispatchOptions",
    "Dispatcher",
    "Ending",
    "LateResult",
    "Limits",
    "LoopGuard",
    "Menu",
    "OnTimeout",
    "PendingApproval",
    "ReadCall",
    "Reply",
    "ReplyKind",
    "StandingApproval",
    "Told",
    "TurnConflict",
    "TurnHandle",
    "TurnState",
    "UndoRefused",
    "Withdrawal",
    "alias",
    "call_tools",
    "detect",
    "register_provider",
    "result_tools",
]
