"""Toolferry's nouns: calls, turns, results, tools, context and errors. Pure: no I/O."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from toolferry.answer import Answer
from toolferry.approval import ANYBODY, Approval
from toolferry.arguments import parse_arguments
from toolferry.artifact import MAX_ARTIFACT_BYTES, Artifact, Cursor
from toolferry.call import ToolCall, Turn, call_key, split_call_key
from toolferry.checkpoint import MAX_CHECKPOINT_BYTES
from toolferry.choosing import Profile
from toolferry.codes import CODE_DEFAULTS, NOT_EXECUTED, CodeDefaults, ErrorCode
from toolferry.context import Context, ToolContext
from toolferry.convert import to_json_data
from toolferry.decorator import ToolOptions, tool
from toolferry.definition import tool_from_json, tool_to_json
from toolferry.envelope import envelope, render
from toolferry.errors import (
    ArgumentFault,
    CallRejected,
    CancelCall,
    CheckpointInvalid,
    ConfigurationError,
    ConversionFailed,
    DefinitionMalformed,
    HandlerMissing,
    InvalidArguments,
    LedgerUnavailable,
    LifespanInvalid,
    ResponseMalformed,
    ResultTimedOut,
    ResultUnavailable,
    RetryCall,
    SchemaInvalid,
    ToolDuplicate,
    ToolError,
    ToolferryError,
    ToolInvalid,
    ToolNameEmpty,
    ToolNotRegistered,
    ToolUnclear,
    TurnUnknown,
)
from toolferry.extensions import NO_EXTENSIONS, Extension, Extensions
from toolferry.fact_provider import FactProvider, fact_provider
from toolferry.faults import fault_text, schema_error
from toolferry.formats import CHECKED_FORMATS
from toolferry.hint import Hint
from toolferry.hooks import Hook, Hooks, Interceptor
from toolferry.lifespan import Lifespan, lifespan
from toolferry.lifespans import start_order
from toolferry.limits import MAX_DEPTH, MAX_RESULT_BYTES
from toolferry.linting.finding import Finding, Severity
from toolferry.loading import load_tools
from toolferry.parameter import Parameter, ParameterSchema
from toolferry.placement import DEFAULT_QUEUE, Concurrency, Priority, Rate, is_queue_name
from toolferry.registry import Registry
from toolferry.repairing import Repair, Repairs
from toolferry.result import SCHEMA_VERSION, CallError, Fault, ToolResult
from toolferry.result_schema import FROM_RETURN
from toolferry.retry import NO_RETRY, RetryPolicy
from toolferry.running import render_running, running_answer
from toolferry.shaping import shape, shape_whole
from toolferry.states import (
    OPEN_STATES,
    TRANSITIONS,
    CallState,
    Effect,
    EffectClass,
    Lane,
    Outcome,
    ResultFormat,
    Risk,
)
from toolferry.tool import Tool
from toolferry.trim import Keep, Trim, estimate_tokens
from toolferry.validator import ArgumentValidator
from toolferry.verifying import Verified, read_finding
from toolferry.view import view_of

if TYPE_CHECKING:
    from toolferry.linting.definition import Definition
    from toolferry.linting.linter import lint
    from toolferry.linting.reading import read_definition
    from toolferry.linting.rule import Rule
    from toolferry.linting.table import RULES

__all__ = [
    "ANYBODY",
    "CHECKED_FORMATS",
    "CODE_DEFAULTS",
    "DEFAULT_QUEUE",
    "FROM_RETURN",
    "MAX_ARTIFACT_BYTES",
    "MAX_CHECKPOINT_BYTES",
    "MAX_DEPTH",
    "MAX_RESULT_BYTES",
    "NOT_EXECUTED",
    "NO_EXTENSIONS",
    "NO_RETRY",
    "OPEN_STATES",
    "RULES",
    "SCHEMA_VERSION",
    "TRANSITIONS",
    "Answer",
    "Approval",
    "ArgumentFault",
    "ArgumentValidator",
    "Artifact",
    "CallError",
    "CallRejected",
    "CallState",
    "CancelCall",
    "CheckpointInvalid",
    "CodeDefaults",
    "Concurrency",
    "ConfigurationError",
    "Context",
    "ConversionFailed",
    "Cursor",
    "Definition",
    "DefinitionMalformed",
    "Effect",
    "EffectClass",
    "ErrorCode",
    "Extension",
    "Extensions",
    "FactProvider",
    "Fault",
    "Finding",
    "HandlerMissing",
    "Hint",
    "Hook",
    "Hooks",
    "Interceptor",
    "InvalidArguments",
    "Keep",
    "Lane",
    "LedgerUnavailable",
    "Lifespan",
    "LifespanInvalid",
    "Outcome",
    "Parameter",
    "ParameterSchema",
    "Priority",
    "Profile",
    "Rate",
    "Registry",
    "Repair",
    "Repairs",
    "ResponseMalformed",
    "ResultFormat",
    "ResultTimedOut",
    "ResultUnavailable",
    "RetryCall",
    "RetryPolicy",
    "Risk",
    "Rule",
    "SchemaInvalid",
    "Severity",
    "Tool",
    "ToolCall",
    "ToolContext",
    "ToolDuplicate",
    "ToolError",
    "ToolInvalid",
    "ToolNameEmpty",
    "ToolNotRegistered",
    "ToolOptions",
    "ToolResult",
    "ToolUnclear",
    "ToolferryError",
    "Trim",
    "Turn",
    "TurnUnknown",
    "Verified",
    "call_key",
    "envelope",
    "estimate_tokens",
    "fact_provider",
    "fault_text",
    "is_queue_name",
    "lifespan",
    "lint",
    "load_tools",
    "parse_arguments",
    "read_definition",
    "read_finding",
    "render",
    "render_running",
    "running_answer",
    "schema_error",
    "shape",
    "shape_whole",
    "split_call_key",
    "start_order",
    "to_json_data",
    "tool",
    "tool_from_json",
    "tool_to_json",
    "view_of",
]

#: The linter's modules, thirty of them, by what is asked of them: few processes lint.
_OF_THE_LINTER = {
    "RULES": "table",
    "Definition": "definition",
    "Rule": "rule",
    "lint": "linter",
    "read_definition": "reading",
}

if not TYPE_CHECKING:  # a checker would take any name for one that is here

    def __getattr__(name: str) -> Any:
        if name not in _OF_THE_LINTER:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        return getattr(import_module(f"toolferry.linting.{_OF_THE_LINTER[name]}"), name)
