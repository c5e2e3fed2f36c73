"""Checkpoints: JSON data of a bounded size."""

from __future__ import annotations

from typing import Any

import pytest

from tests.contract.samples import context_for_handlers
from toolferry import MAX_CHECKPOINT_BYTES, CheckpointInvalid
from toolferry.checkpoint import checkpoint_text


@pytest.mark.parametrize("data", [{"page": 3}, [1, None], "é", 2**70, None])
def test_json_data_can_be_kept(data: Any) -> None:
    """Of any kind."""
    assert checkpoint_text(data)


@pytest.mark.parametrize("data", [{1, 2}, object(), float("nan"), {"a": {2: {3}}}, b"bytes"])
def test_what_is_no_json_data_is_refused(data: Any) -> None:
    """In one sentence."""
    with pytest.raises(CheckpointInvalid, match=r"^checkpoint: it is no JSON data"):
        checkpoint_text(data)


def test_a_structure_without_end_is_refused() -> None:
    """And no traceback of a recursion."""
    endless: list[Any] = []
    endless.append(endless)

    with pytest.raises(CheckpointInvalid):
        checkpoint_text(endless)


def test_64_kib_can_be_kept_and_not_a_byte_more() -> None:
    """A checkpoint says where to go on; it is no place for results."""
    fits = "x" * (MAX_CHECKPOINT_BYTES - 2)

    assert len(checkpoint_text(fits)) == MAX_CHECKPOINT_BYTES
    with pytest.raises(CheckpointInvalid, match=str(MAX_CHECKPOINT_BYTES)):
        checkpoint_text(fits + "x")


def test_outside_of_a_worker_nothing_is_kept_and_nothing_breaks() -> None:
    """A handler that is tested by itself may use it."""
    ctx = context_for_handlers()

    ctx.checkpoint({"page": 1})

    assert ctx.restored is None
