"""Calls that were put right, all the way: from the provider's text to the message back."""

from __future__ import annotations

import json
import uuid
from pathlib import Path
from typing import Any

from tests.console.conftest import Toolferry
from tests.console.responses import calling, written

#: Past 2**53, where a float would round.
LARGE = 9007199254740993


def with_texts(*texts: Any) -> Any:
    """A response with one call of `add` for each text."""
    response = calling(*(("add", {}) for _ in texts))
    calls = response["choices"][0]["message"]["tool_calls"]
    for call, text in zip(calls, texts, strict=True):
        call["function"]["arguments"] = text
    return response


def test_large_integers_stay_exact_all_the_way(
    staffed_toolferry: Toolferry, tmp_path: Path
) -> None:
    """As numbers and as digits: through the server, a worker and back into the messages."""
    texts = (f'{{"a": {LARGE}, "b": 1}}', f'{{"a": "{LARGE}", "b": "-1"}}')

    ran = staffed_toolferry(
        "run", written(tmp_path, with_texts(*texts)), "--json", "--timeout", "30"
    )

    results, messages = ran.object["results"], ran.object["messages"]
    assert [one["content"] for one in results] == [LARGE + 1, LARGE - 1]
    assert [json.loads(one["content"])["content"] for one in messages[1:]] == [LARGE + 1, LARGE - 1]
    assert [one["function"]["arguments"] for one in messages[0]["tool_calls"]] == list(texts)


def test_what_was_put_right_is_in_the_result_and_explained(
    staffed_toolferry: Toolferry, tmp_path: Path
) -> None:
    """With the arguments as they came; a refused call says so, too. The history is valid JSON."""
    turn = uuid.uuid4().hex
    fenced = '```json\n{"a": 1, "b": "2"}\n```'
    file = written(tmp_path, with_texts(fenced, {"a": 1, "b": 2}, ""))

    ran = staffed_toolferry("run", file, "--json", "--timeout", "30", "--turn-id", turn)

    assert [one.get("repairs") for one in ran.object["results"]] == [
        ["fences", "coerced"],
        ["object_for_text"],
        ["empty"],
    ]
    first = staffed_toolferry("explain", f"{turn}:0", "--json").object
    assert first["repairs"] == ["fences", "coerced"]
    assert first["arguments"] == {
        "original": {"a": 1, "b": "2"},
        "effective": {"a": 1, "b": 2},
    }
    assert staffed_toolferry("explain", f"{turn}:2", "--json").object["repairs"] == ["empty"]
    assert "  repaired: fences, coerced\n" in staffed_toolferry("explain", f"{turn}:0").out
    history = ran.object["messages"][0]["tool_calls"]
    assert [json.loads(one["function"]["arguments"]) for one in history] == [
        {"a": 1, "b": "2"},
        {"a": 1, "b": 2},
        {},
    ]
