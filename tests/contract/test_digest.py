"""The digest: the same exactly when one process can run what another asks for."""

from __future__ import annotations

from typing import Any

import pytest

from tests.contract.samples import made
from toolferry import EffectClass, Lane

SCHEMA = {"type": "object", "properties": {"description": {"type": "string", "description": "a"}}}
WORDY = {
    "description": "Other words.",
    "properties": {"description": {"description": "b", "examples": ["x"], "type": "string"}},
    "type": "object",
}
SHORTER = {"type": "object", "properties": {"description": {"type": "string", "maxLength": 3}}}
OTHER_NAME = {"type": "object", "properties": {"title": {"type": "string"}}}


def test_a_digest_is_short_and_the_same_each_time() -> None:
    """Two processes that import the same module agree."""
    assert made(SCHEMA).digest == made(SCHEMA).digest
    assert len(made(SCHEMA).digest) == 16


@pytest.mark.parametrize(
    "fields",
    [
        {"description": "Other words."},
        {"schema": WORDY},
        {"timeout": 1},
        {"permissions": {"x"}},
        {"queue": "gpu"},
        {"idempotent": False},
    ],
    ids=lambda fields: next(iter(fields)),
)
def test_what_may_differ_during_a_rollout_leaves_the_digest_alone(fields: dict[str, Any]) -> None:
    """Calls in flight still run."""
    assert made(**{"schema": SCHEMA, **fields}).digest == made(SCHEMA).digest


@pytest.mark.parametrize(
    "fields",
    [
        {"name": "other"},
        {"version": "2"},
        {"effect": EffectClass.WRITE},
        {"effect": EffectClass.WRITE, "idempotent": True},
        {"lane": Lane.PROCESS},
        {"schema": SHORTER},
        {"schema": OTHER_NAME},
        {"schema": {"type": "object"}},
    ],
)
def test_what_decides_whether_a_call_fits_changes_the_digest(fields: dict[str, Any]) -> None:
    """A property that is named like a note is none."""

    async def handler(**arguments: Any) -> None:
        """Do nothing."""

    before = made(SCHEMA, handler)

    assert made(**{"schema": SCHEMA, "handler": handler, **fields}).digest != before.digest


def test_a_write_that_becomes_repeatable_is_another_tool() -> None:
    """How often it may run is part of what was judged."""
    write = made(effect=EffectClass.WRITE)

    assert made(effect=EffectClass.WRITE, idempotent=True).digest != write.digest
