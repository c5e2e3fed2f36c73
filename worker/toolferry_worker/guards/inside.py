"""Opening a file inside of a root, without a gap between the look and the use.

1. The path is resolved, and must lead into the root, as the rule `path_inside` has it.
2. The file is opened from the root downwards, name by name, each from the folder before it and
   never through a link: what was turned into a link since step 1 is not followed.
3. Only a plain file is given out: a pipe or a device would block, or be something else.

A hard link is not seen: who can make one in the root can read what it leads to.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Mapping
from types import MappingProxyType
from typing import IO, Any, Final, Literal, TypeAlias

from toolferry import ToolError
from toolferry_policies.rules.paths import checked_root, parts_inside

Mode: TypeAlias = Literal["r", "rb", "w", "wb", "a", "ab", "x", "xb"]

_FLAGS: Final[Mapping[str, int]] = MappingProxyType(
    {
        "r": os.O_RDONLY,
        "w": os.O_WRONLY | os.O_CREAT,
        "a": os.O_WRONLY | os.O_CREAT | os.O_APPEND,
        "x": os.O_WRONLY | os.O_CREAT | os.O_EXCL,
    }
)
#: What a system says when O_NOFOLLOW meets a link, and of a pipe that nobody reads.
_NOT_A_FILE: Final = frozenset({errno.ELOOP, errno.EMLINK, errno.ENXIO})
#: Not through a link, not into a child process, and without waiting for the other end of a pipe.
_ALWAYS: Final = os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK


def open_inside(root: str | os.PathLike[str], path: str, mode: Mode = "r") -> IO[Any]:
    """Open a file inside of a root; the story is at the top of this file.

    Args:
        root: A folder, as an absolute path; must not be writable by whom the path comes from.
        path: Where the file is, relative to the root, or absolute and inside of it.
        mode: As `open` has it; text is UTF-8.

    Raises:
        ToolError: The path leads elsewhere (`path_refused`), or there is no such file, or one
            already (`no_such_file`, `file_exists`).
        OSError: The system refuses, for another reason.
        ConfigurationError: The root is no absolute path.
    """
    base = checked_root(root)
    parts = parts_inside(base, path)
    if not parts:
        raise _refused()
    try:
        descriptor = _descend(os.path.realpath(base), parts, _FLAGS[mode[0]])
    except FileNotFoundError as error:
        raise ToolError("no_such_file", "There is no such file.", retryable=False) from error
    except FileExistsError as error:
        raise ToolError("file_exists", "There is such a file already.", retryable=False) from error
    except (NotADirectoryError, IsADirectoryError) as error:
        raise _refused() from error
    except OSError as error:
        if error.errno in _NOT_A_FILE:
            raise _refused() from error
        raise
    return _plain_file(descriptor, mode)


def _descend(base: str, parts: tuple[str, ...], flags: int) -> int:
    folder = os.open(base, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        for name in parts[:-1]:
            inner = os.open(name, os.O_RDONLY | os.O_DIRECTORY | _ALWAYS, dir_fd=folder)
            os.close(folder)
            folder = inner
        return os.open(parts[-1], flags | _ALWAYS, 0o666, dir_fd=folder)
    finally:
        os.close(folder)


def _plain_file(descriptor: int, mode: Mode) -> IO[Any]:
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise _refused()
    os.set_blocking(descriptor, True)
    if mode[0] == "w":
        # Not by O_TRUNC: by then nobody would know yet what it is that is emptied.
        os.ftruncate(descriptor, 0)
    return os.fdopen(
        descriptor, mode.replace("x", "w"), encoding=None if mode.endswith("b") else "utf-8"
    )


def _refused() -> ToolError:
    return ToolError(
        "path_refused",
        "The path does not lead to a file inside of the folder of this tool.",
        retryable=False,
        suggestion="Give the path of a plain file, relative to that folder.",
    )
