"""First answers: what a model is told of a call that still runs."""

from __future__ import annotations

import json

from toolferry import ResultFormat, render_running, running_answer

ANSWER = running_answer("reports.export", "t1:0")


def test_a_first_answer_says_that_nothing_has_failed_and_names_the_handle() -> None:
    """As JSON data with the keys of an envelope, and no content yet."""
    assert ANSWER.keys() == {"ok", "state", "handle", "message"}
    assert (ANSWER["ok"], ANSWER["state"], ANSWER["handle"]) == (True, "running", "t1:0")


def test_a_first_answer_is_written_as_the_tool_writes_its_results() -> None:
    """As JSON text, or as one sentence with the handle."""
    assert json.loads(render_running(ANSWER, ResultFormat.ENVELOPE)) == ANSWER
    assert "t1:0" in render_running(ANSWER, ResultFormat.TEXT)
    assert render_running(ANSWER, ResultFormat.TEXT).count(".") == 2
