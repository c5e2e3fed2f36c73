"""The policy file: read at the start, looked at again at most once a second, never trusted blindly.

1. `TOOLFERRY_POLICY` names the file; without it, it is `toolferry.toml` in the working directory,
   if there is one.
2. A file that cannot be used at the start keeps a process from starting.
3. Afterwards a file that changes is taken over when it can be used. One that cannot, or that
   vanishes, leaves the policy as it was, and is told in the log.
4. A file that is being written may be empty for a moment, and an empty one restricts nothing. So
   one that was written within the last second is taken over only when it stays as it is until the
   next look.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final, Protocol, TypeAlias

from toolferry_ledger.logs import get_log
from toolferry_policies import NO_POLICY, Policy, PolicyFault, PolicyInvalid, read_policy

log = get_log(__name__)

#: The file that is read when none is named.
DEFAULT_POLICY: Final = Path("toolferry.toml")
#: Seconds between two looks at the file; a look is one system call.
LOOK_EVERY: Final = 1.0
#: Seconds after which a file that was not written to again is taken for complete.
SETTLED: Final = 1.0

#: What differs when a file does: when it was written, how long it is, which file it is.
_Mark: TypeAlias = tuple[int, int, int] | None


class PolicySource(Protocol):
    """Where a policy comes from that may change."""

    def current(self) -> Policy:
        """Give the policy that holds now; never raises."""


class PolicyFile:
    """A policy file that is followed. Thread-safe.

    Args:
        path: The file; one that is not there declares nothing, until it is there.
        clock: Gives seconds that only go on.

    Raises:
        PolicyInvalid: The file is there and cannot be used.
    """

    def __init__(self, path: Path, clock: Callable[[], float] = time.monotonic) -> None:
        self.path = path
        #: Why the newest file is not in use; None when it is.
        self.fault: str | None = None
        self._clock = clock
        self._lock = threading.Lock()
        self._mark = _mark_of(path)
        self._seen = self._mark
        self._policy = read_policy_file(path) if self._mark else NO_POLICY
        self._looked_at = clock()

    def current(self) -> Policy:
        """Give the policy that holds now; looks at the file when the last look is a second old."""
        if self._clock() - self._looked_at >= LOOK_EVERY and self._lock.acquire(blocking=False):
            try:
                self._looked_at = self._clock()
                self._look()
            finally:
                self._lock.release()
        return self._policy

    def _look(self) -> None:
        mark = _mark_of(self.path)
        is_whole = _is_settled(mark) or mark == self._seen
        self._seen = mark
        if mark == self._mark or not is_whole:
            return
        self._mark = mark
        try:
            policy = read_policy_file(self.path)
        except PolicyInvalid as error:
            self.fault = str(error)
            log.error("policy.refused", reason=self.fault, kept=self._policy.hash)  # noqa: TRY400 -- the reason says it all
            return
        self.fault = None
        if policy.hash != self._policy.hash:
            log.info("policy.changed", file=str(self.path), old=self._policy.hash, new=policy.hash)
            self._policy = policy


def policy_file(environ: Mapping[str, str] = os.environ) -> PolicyFile:
    """Open the policy file of this process.

    Raises:
        PolicyInvalid: It cannot be used, or `TOOLFERRY_POLICY` names one that is not there.
    """
    path = policy_path(environ)
    if environ.get("TOOLFERRY_POLICY") and not path.exists():
        raise PolicyInvalid("TOOLFERRY_POLICY", f"there is no file {path}")
    return PolicyFile(path)


def policy_path(environ: Mapping[str, str] = os.environ) -> Path:
    """Give the policy file that the environment names, or else the default; it need not exist."""
    return Path(environ.get("TOOLFERRY_POLICY") or DEFAULT_POLICY)


def _mark_of(path: Path) -> _Mark:
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size, found.st_ino


def _is_settled(mark: _Mark) -> bool:
    return mark is None or time.time_ns() - mark[0] >= SETTLED * 1e9


def read_policy_file(path: Path) -> Policy:
    """Read a policy file once.

    Raises:
        PolicyInvalid: It cannot be used; lists its faults.
    """
    try:
        text = path.read_bytes()
    except OSError as error:
        reason = f"it cannot be read: {(error.strerror or str(error)).lower()}"
        raise PolicyInvalid.of(str(path), [PolicyFault(str(path), 0, "", reason)]) from error
    return read_policy(text, str(path))
