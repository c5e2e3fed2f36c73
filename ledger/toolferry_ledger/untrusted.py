"""What is said of a record that nobody of this system can have written as it is."""

from __future__ import annotations

from toolferry import ToolferryError


class Untrusted(ToolferryError):
    """A record is unsigned, was changed, belongs to another call or has expired."""
