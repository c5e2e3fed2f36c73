"""The setting of the audit: whether what happens to calls is recorded, and where it is kept."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from toolferry import ConfigurationError

#: The value of `TOOLFERRY_AUDIT` that has somebody else keep the files.
ELSEWHERE: Final = "on"
#: Its values that have nothing recorded, as people write that, and those that name no folder.
_OFF: Final = frozenset({"off", "false", "no", "0"})
_UNCLEAR: Final = frozenset({"true", "yes", "1"})
#: Bytes after which a file is full.
SEGMENT_BYTES: Final = 16 * 2**20
#: Seconds of a day, in which `TOOLFERRY_AUDIT_KEEP_DAYS` counts.
_DAY: Final = 86_400.0
_MEGABYTE: Final = 2**20


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditSetting:
    """How a system is audited; all its processes must have one, or what they do is not recorded."""

    #: Where the files are; None when other processes of the system keep them.
    folder: Path | None = None
    #: `TOOLFERRY_AUDIT_KEEP_DAYS`: seconds after which a full file is deleted; None for never.
    keep: float | None = None
    #: `TOOLFERRY_AUDIT_MAX_MB`: bytes of all files beyond which the oldest is deleted; None for
    #: never.
    max_bytes: int | None = None
    segment_bytes: int = SEGMENT_BYTES

    @classmethod
    def from_env(cls, environ: Mapping[str, str]) -> AuditSetting | None:
        """Read what the environment says; None when nothing is recorded.

        Raises:
            ConfigurationError: A limit is no number above 0, or it is not clear whether a folder
                is meant.
        """
        where = environ.get("TOOLFERRY_AUDIT", "").strip()
        word = where.lower()
        if not where or word in _OFF:
            return None
        if word in _UNCLEAR:
            raise ConfigurationError(
                "TOOLFERRY_AUDIT",
                f"{where!r} is no folder: name the one for the files, ./{where} if it is called so,"
                f" or say {ELSEWHERE} when other processes keep them",
            )
        days = _number(environ, "TOOLFERRY_AUDIT_KEEP_DAYS")
        megabytes = _number(environ, "TOOLFERRY_AUDIT_MAX_MB")
        return cls(
            folder=None if word == ELSEWHERE else Path(where).expanduser().absolute(),
            keep=None if days is None else days * _DAY,
            max_bytes=None if megabytes is None else int(megabytes * _MEGABYTE),
        )

    def environment(self) -> dict[str, str]:
        """Give the variables that say the same."""
        variables = {"TOOLFERRY_AUDIT": str(self.folder or ELSEWHERE)}
        if self.keep is not None:
            variables["TOOLFERRY_AUDIT_KEEP_DAYS"] = repr(self.keep / _DAY)
        if self.max_bytes is not None:
            variables["TOOLFERRY_AUDIT_MAX_MB"] = repr(self.max_bytes / _MEGABYTE)
        return variables


def _number(environ: Mapping[str, str], name: str) -> float | None:
    text = environ.get(name)
    if not text:
        return None
    try:
        number = float(text)
    except ValueError:
        number = 0.0
    if not 0 < number < float("inf"):
        raise ConfigurationError(name, f"{text!r:.40} must be a number above 0")
    return number
