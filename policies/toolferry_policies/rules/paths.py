"""Paths that stay inside of a root, with symbolic links resolved.

It is the one rule that looks at something besides the facts: at the links of the file system, and
only at them. So it is worth as much as the file system that it sees: in the worker, where a rule is
asked again before each attempt, that is the handler's own. A link can still change between the rule
and the handler; `toolferry_worker.guards.open_inside` opens without that gap.
"""

from __future__ import annotations

import os
import re
from pathlib import Path, PurePosixPath
from typing import Final

from toolferry import ConfigurationError
from toolferry_policies.facts import Facts
from toolferry_policies.rules.place import Path as Place
from toolferry_policies.rules.place import Rule, for_each, of_text, refused
from toolferry_policies.verdict import Permit, Verdict

#: Bytes of a path, and of a name in it, as Linux has them.
_MAX_PATH: Final = 4096
_MAX_NAME: Final = 255
#: What some program takes for something else than a name: a control character, a separator of
#: Windows.
_ODD: Final = re.compile(r"[\x00-\x1f\x7f\\]")
_DRIVE: Final = re.compile(r"[A-Za-z]:")


def path_inside(path: str, root: str | os.PathLike[str]) -> Rule:
    """Allow paths that lead to the root or to something inside of it.

    A relative path counts from the root, as it does for `open_inside`; an absolute one must lead
    into it. What does not exist yet is allowed when the folder that it would be made in is inside.
    `..`, `~`, backslashes, drives and control characters are refused.

    Args:
        path: The argument that holds the path; with `[]` for every item of a list.
        root: A folder, as an absolute path; itself resolved each time.

    Raises:
        ConfigurationError: The path of the argument is wrong, or the root is not absolute.
    """
    base = checked_root(root)
    expected = f"a plain path inside of {base}, without .."

    def judge(facts: Facts, where: Place, text: str) -> Verdict:
        is_inside = parts_inside(base, text) is not None
        return Permit() if is_inside else refused(facts, where, text, expected)

    return for_each("path_inside", path, of_text(judge))


def checked_root(root: str | os.PathLike[str]) -> str:
    """Give a root as a text.

    Raises:
        ConfigurationError: It is no absolute path.
    """
    text = os.fspath(root)
    if not Path(text).is_absolute() or "\0" in text:
        raise ConfigurationError("root", f"{text!r:.200} is no absolute path")
    return text


def parts_inside(root: str, text: str) -> tuple[str, ...] | None:
    """Resolve a path, and give its names below the resolved root; None when it leads elsewhere.

    Args:
        root: An absolute path.
        text: The path, relative to the root or absolute.
    """
    if not is_plain_path(text):
        return None
    base = os.path.realpath(root)
    found = os.path.realpath(os.path.join(root, text))  # noqa: PTH118 -- pathlib would lose what `text` is
    if os.path.commonpath((base, found)) != base:
        return None
    return PurePosixPath(found).relative_to(base).parts


def is_plain_path(text: str) -> bool:
    """Say whether every program takes a text for the same path, whatever stands on the disk.

    >>> is_plain_path("notes/2026.txt"), is_plain_path("../x"), is_plain_path("~/x")
    (True, False, False)
    """
    names = text.split("/")
    return (
        bool(text)
        and len(text.encode("utf-8", "replace")) <= _MAX_PATH
        and not (_ODD.search(text) or _DRIVE.match(text) or text.startswith("~"))
        and ".." not in names
        and all(len(name.encode("utf-8", "replace")) <= _MAX_NAME for name in names)
    )
