"""The errors: their tree, their sentences, and their way through a pickle."""

from __future__ import annotations

import pickle
import re
from collections.abc import Iterator

import pytest

import toolferry
from toolferry import (
    ArgumentFault,
    CallRejected,
    CancelCall,
    CheckpointInvalid,
    ConfigurationError,
    ConversionFailed,
    Effect,
    ErrorCode,
    Fault,
    InvalidArguments,
    LedgerUnavailable,
    ResponseMalformed,
    ResultUnavailable,
    RetryCall,
    ToolError,
    ToolferryError,
    errors,
)

SAMPLES: dict[type, tuple[tuple[object, ...], str]] = {
    ToolferryError: (("it went wrong",), "it went wrong"),
    CallRejected: (("c1", "no such tool"), "call c1: no such tool"),
    InvalidArguments: (
        ("c1", "limit is missing", (Fault(path="limit", expected="integer", got="nothing"),)),
        "call c1: limit is missing",
    ),
    ArgumentFault: ((ErrorCode.TRUNCATED, "They end."), "truncated: They end."),
    ConversionFailed: (("sum", "returned a function"), "tool sum: returned a function"),
    CheckpointInvalid: (("it is too much",), "checkpoint: it is too much"),
    ResultUnavailable: (("t1", "it has expired"), "turn t1: it has expired"),
    LedgerUnavailable: (("redis://h", "it is gone"), "server redis://h: it is gone"),
    ResponseMalformed: (("choices[0]", "is no object"), "response: choices[0]: is no object"),
    ConfigurationError: (("TOOLFERRY_URL", "is no URL"), "TOOLFERRY_URL: is no URL"),
}


def families() -> Iterator[tuple[type[Exception], tuple[object, ...], str]]:
    """Give every error class with arguments for it."""
    for kind in vars(errors).values():
        if (
            isinstance(kind, type)
            and issubclass(kind, ToolferryError)
            and kind is not ToolferryError
        ):
            nearest = next(one for one in kind.__mro__ if one in SAMPLES)
            yield kind, *SAMPLES[nearest]


@pytest.mark.parametrize(("kind", "arguments", "sentence"), list(families()))
def test_an_error_says_what_where_and_why(
    kind: type[Exception], arguments: tuple[object, ...], sentence: str
) -> None:
    """In one sentence, also after it went through a pickle."""
    error = kind(*arguments)

    assert str(error) == sentence
    again = pickle.loads(pickle.dumps(error))  # noqa: S301 -- our own bytes
    assert (type(again), str(again), vars(again)) == (kind, sentence, vars(error))


def test_every_error_is_public_and_stands_in_the_tree() -> None:
    """The tree on top of the module is complete."""
    kinds = {kind.__name__ for kind, _, _ in families()}

    assert kinds <= set(toolferry.__all__)
    assert kinds <= set(re.findall(r"\w+", errors.__doc__ or ""))


def test_the_error_of_a_conversion_names_its_tool_to_the_model() -> None:
    """The model knows which of its calls is meant."""
    error = ConversionFailed("sum", "returned a function").error()

    assert (error.code, error.message) == ("bad_result", "The tool sum returned a function.")


def test_a_tool_error_of_a_known_code_takes_its_defaults() -> None:
    """The handler need not repeat them."""
    error = ToolError("timeout", "The printer does not answer.")

    assert error.retryable is True
    assert error.suggestion == "Ask for less at once, or try again later."
    assert str(error) == "timeout: The printer does not answer."


def test_a_tool_error_of_its_own_code_is_not_retryable_by_default() -> None:
    """Nothing is promised that nobody said."""
    error = ToolError("no_such_order", "Order 17 does not exist.")

    assert (error.retryable, error.suggestion) == (False, "")
    assert ToolError("busy", "Later.", retryable=True, suggestion="Wait.").suggestion == "Wait."


def test_signals_carry_what_the_handler_says() -> None:
    """They are no errors of Toolferry."""
    retry = RetryCall(after=5, effect=Effect.NONE)

    assert (retry.after, retry.effect) == (5, Effect.NONE)
    assert retry.reason == "The tool asked to be tried again."
    assert CancelCall("The user left.").reason == "The user left."
    assert not any(issubclass(one, ToolferryError) for one in (RetryCall, CancelCall, ToolError))
