"""A fresh stack: for work that went too deep for Python on top of all that its caller does.

Python counts how deep calls go for each thread. What a schema or arguments come to must not depend
on how deep the application was when it asked.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import partial
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")


def deeply(work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Do some work; once more, on a stack of its own, where this one is not deep enough.

    Args:
        work: Has no effects.
        args: What it is done with.
        kwargs: The same, by name.

    Raises:
        RecursionError: It goes too deep on any stack.
        Exception: Whatever it raises.
    """
    try:
        return work(*args, **kwargs)
    except RecursionError:
        return _on_a_fresh_stack(partial(work, *args, **kwargs))


def _on_a_fresh_stack(work: Callable[[], T]) -> T:
    done: list[T] = []
    failed: list[BaseException] = []

    def run() -> None:
        try:
            done.append(work())
        except BaseException as error:  # noqa: BLE001 -- it is raised where it was asked for
            failed.append(error)

    thread = threading.Thread(target=run, name="toolferry-deep")
    thread.start()
    thread.join()
    if failed:
        raise failed[0]
    return done[0]
