"""What is not to be imported by whoever collects tests."""

from __future__ import annotations

#: A process that has imported it hides no secret any more.
collect_ignore = ["open_doors.py"]
