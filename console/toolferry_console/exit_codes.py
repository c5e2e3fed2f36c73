"""How the commands end."""

from __future__ import annotations

from enum import IntEnum


class ExitCode(IntEnum):
    """How a command ends, for scripts."""

    #: Every call succeeded, or the response was a final answer.
    OK = 0
    #: Some call ended otherwise or is still open, or the response was degenerate or incomplete; or
    #: the linter found more than advice; or what was to be cancelled is not there, or a decision
    #: was refused.
    NOT_ALL_SUCCEEDED = 1
    #: The input, the configuration or the usage is wrong; one line on stderr says how.
    BAD_INPUT = 2
    #: A call still waits for a person's decision.
    APPROVALS_PENDING = 3
