"""What is found out once in a pass over a value, however often it is asked.

Where several alternatives lead to one schema for the same value, and so again for what is inside of
that value, to judge it anew each time would take twice as long for each level.
"""

from __future__ import annotations

import threading
from typing import Any


class Pass(threading.local):
    """One pass over one value, which is entered; each thread has its own.

    What is found is known by the identity of values, which they keep for as long as the pass lasts.
    """

    def __init__(self) -> None:
        #: What was found out by now.
        self.found: dict[Any, Any] = {}

    def __enter__(self) -> None:
        self.found = {}

    def __exit__(self, *_: object) -> None:
        self.found = {}
