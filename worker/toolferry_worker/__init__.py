"""Toolferry's Celery side: `celery -A toolferry_worker worker -P solo` runs the async lane.

Importing this package loads no Celery; asking it for `app` does.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from toolferry_worker.command import command

if TYPE_CHECKING:
    from toolferry_worker.application import app

__all__ = ["app", "command"]


def __getattr__(name: str) -> Any:
    if name == "app":
        from toolferry_worker.application import app  # noqa: PLC0415 -- only workers need Celery

        return app
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
