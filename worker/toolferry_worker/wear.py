"""Wear: when a process of a worker is replaced although it works, or because it hardly does.

Settings that bound what handlers can do to the process that they run in over time: memory that they
never give back, threads and files that they leave open, calls that never end.
"""

from __future__ import annotations

import os
from collections.abc import Mapping

from toolferry import ConfigurationError


def max_stuck(slots: int, environ: Mapping[str, str] = os.environ) -> int:
    """Give how many handlers may run on after their limit: `TOOLFERRY_MAX_STUCK`.

    Half the slots when it is not set. With more of them an async worker replaces itself.

    Raises:
        ConfigurationError: What is set is no whole number, 0 or more.

    >>> max_stuck(256, {}), max_stuck(1, {}), max_stuck(256, {"TOOLFERRY_MAX_STUCK": "3"})
    (128, 0, 3)
    """
    asked = _whole("TOOLFERRY_MAX_STUCK", environ, least=0)
    return slots // 2 if asked is None else asked


def max_tasks_per_child(environ: Mapping[str, str] = os.environ) -> int | None:
    """Give after how many calls a child is replaced: `TOOLFERRY_MAX_TASKS_PER_CHILD`; None: never.

    Raises:
        ConfigurationError: What is set is no whole number, 1 or more.

    >>> max_tasks_per_child({}), max_tasks_per_child({"TOOLFERRY_MAX_TASKS_PER_CHILD": "100"})
    (None, 100)
    """
    return _whole("TOOLFERRY_MAX_TASKS_PER_CHILD", environ, least=1)


def max_memory_per_child(environ: Mapping[str, str] = os.environ) -> int | None:
    """Give with how many KiB of memory a child is replaced: `TOOLFERRY_MAX_MEMORY_PER_CHILD`.

    It is looked at between two calls; None: never.

    Raises:
        ConfigurationError: What is set is no whole number, 1 or more.

    >>> max_memory_per_child({"TOOLFERRY_MAX_MEMORY_PER_CHILD": "262144"})
    262144
    """
    return _whole("TOOLFERRY_MAX_MEMORY_PER_CHILD", environ, least=1)


def _whole(name: str, environ: Mapping[str, str], least: int) -> int | None:
    text = environ.get(name)
    if not text:
        return None
    if not (text.isascii() and text.isdecimal()) or int(text) < least:
        raise ConfigurationError(name, f"{text!r} is no whole number, {least} or more")
    return int(text)
