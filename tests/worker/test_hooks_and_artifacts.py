"""Hooks, and what is kept and asked of a long result."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

import pytest

from tests.worker.test_calling import attempt_of
from toolferry import Extensions, Hooks, Registry, Tool, ToolCall, ToolResult, tool
from toolferry_policies import Accept, Replace, Underway
from toolferry_testing import Rehearsal
from toolferry_worker.calling import call_sync


@tool(max_result_bytes=99, result_schema={"minLength": 5000})
def recite() -> str:
    """Give more than has room."""
    return "x" * 5000


@contextmanager
def looks_on(_call: Underway) -> Iterator[None]:
    """Change nothing."""
    yield


def result_of(one: Tool, hooks: Hooks) -> ToolResult:
    """Run a call within hooks, in process."""
    rehearsal = Rehearsal(Registry([one]), extensions=Extensions(hooks=[hooks]))
    return rehearsal.dispatch([ToolCall("c1", one.name, {})]).results[0]


@pytest.mark.parametrize("answer", [Accept(), Replace("y" * 5000, "padded")])
def test_what_a_hook_has_seen_a_part_of_is_kept_in_that_part_only(
    answer: Accept | Replace,
) -> None:
    """A model could read on in what the hook would have blocked."""
    hooks = Hooks(post_execute=[lambda _came: answer])
    attempt = attempt_of(lambda: "x" * 5000, max_result_bytes=99)

    end = call_sync(replace(attempt, hooks=(hooks,)))
    result = result_of(recite, hooks)

    assert end.artifact is None
    assert (result.truncated, result.next_cursor) == (True, None)


def test_hooks_that_are_not_asked_of_a_result_change_nothing_of_what_is_kept() -> None:
    """Those before and around a call."""
    result = result_of(recite, Hooks(execute=[looks_on]))

    assert result.next_cursor is not None
    assert result.next_cursor.endswith(":0@97")


def test_what_replaces_a_result_need_not_fit_its_schema() -> None:
    """That is the author's word about what his tool gives, and a policy has another one."""
    result = result_of(recite, Hooks(post_execute=[lambda _came: Replace("not today", "closed")]))

    assert result.content == "not today"
