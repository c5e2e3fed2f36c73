"""Tools whose hooks never give an answer, and cannot be stopped politely."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from toolferry import EffectClass, Hooks, tool
from toolferry_policies import Accept, Aftermath, Underway


def _hang() -> None:
    while True:
        try:
            time.sleep(60)
        except Exception:  # noqa: BLE001, S112 -- a hook that swallows whatever shall stop it
            continue


@contextmanager
def hangs_before(_call: Underway) -> Iterator[None]:
    """Never let the handler be called."""
    _hang()
    yield


def hangs_after(_came: Aftermath) -> Accept:
    """Never say whether a model may read what was returned."""
    _hang()
    return Accept()


before = Hooks(execute=[hangs_before], tools=["before_async", "before_process"])
after = Hooks(post_execute=[hangs_after], tools=["after_async", "after_process"])


def _note(file: str) -> str:
    Path(file).write_text("ran", encoding="utf-8")
    return "secret"


@tool(timeout=0.5, effect=EffectClass.WRITE)
async def before_async(file: str) -> str:
    """Note that it was called."""
    return _note(file)


@tool(timeout=0.5, effect=EffectClass.WRITE)
def before_process(file: str) -> str:
    """Note that it was called."""
    return _note(file)


after_async = replace(before_async, name="after_async")
after_process = replace(before_process, name="after_process")
