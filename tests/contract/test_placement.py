"""Limits and rates as they are declared, and what their keys may name."""

from __future__ import annotations

import math
from typing import Any

import pytest

from toolferry import Concurrency, Rate, Registry, Tool, ToolInvalid


@pytest.mark.parametrize(
    ("fields", "what"),
    [
        ((0, 1.0), "limit is 0"),
        ((10_001, 1.0), "limit is 10001"),
        ((True, 1.0), "limit is True"),
        ((1, 0.0), "per is 0.0"),
        ((1, 86_401), "per is 86401"),
        ((1, math.nan), "per is nan"),
        ((1, "60"), "per is '60'"),
    ],
)
def test_a_rate_that_cannot_be_kept_is_refused(fields: tuple[Any, Any], what: str) -> None:
    """The sentence names what is wrong."""
    with pytest.raises(ValueError, match=what):
        Rate(*fields)


@pytest.mark.parametrize("word", ["concurrency", "rate"])
@pytest.mark.parametrize(
    ("key", "parameters", "what"),
    [
        ("a:{pth}", ["path"], "names {pth}, which is no parameter"),
        ("a:{context.role}", ["path"], "names {context.role}, which is no parameter"),
        ("a:{context.tenant}", ["context"], "a parameter is called context"),
    ],
)
def test_a_key_that_cannot_be_filled_in_one_way_is_refused(
    word: str, key: str, parameters: list[str], what: str
) -> None:
    """No model fills in who asks."""
    limit = Concurrency(1, key) if word == "concurrency" else Rate(1, 1.0, key)

    with pytest.raises(ToolInvalid, match=rf"t: {word}") as refused:
        Registry([sample(parameters, **{word: limit})])

    assert what in str(refused.value)


def test_a_parameter_called_context_is_an_ordinary_one() -> None:
    """Where its name cannot be mistaken."""
    tool = sample(["context"], rate=Rate(1, 1.0, "{context}"), concurrency=Concurrency(1, "x"))

    assert "t" in Registry([tool])


def sample(parameters: list[str], **fields: Any) -> Tool:
    """Make a tool with these parameters."""

    def run(**_: Any) -> None:
        """Do nothing."""

    schema = {"type": "object", "properties": {name: {} for name in parameters}}
    return Tool(name="t", parameters=schema, handler=run, **fields)
