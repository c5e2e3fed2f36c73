"""`toolferry explain`: what was decided about a call, and what became of it."""

from __future__ import annotations


def explain() -> int:
    """Say why a call ran or did not, and what the model was told."""
    return 0
