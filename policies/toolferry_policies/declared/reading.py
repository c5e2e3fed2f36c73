"""Reading a policy file: everything that is wrong with it is told at once."""

from __future__ import annotations

import hashlib
import tomllib
from collections.abc import Mapping
from threading import Lock
from typing import Any, Final

from pydantic import ValidationError

from toolferry_policies.declared.declaration import Declaration
from toolferry_policies.declared.faults import PolicyFault, PolicyInvalid
from toolferry_policies.declared.lines import NOWHERE, Path, below, dotted, line_of
from toolferry_policies.declared.policy import Policy
from toolferry_policies.declared.wording import reason_of

#: Hex digits of a policy's hash: the beginning of what `sha256sum` says of the file.
HASH_LENGTH: Final = 12
#: Faults of one file that are told at the most: finding the line of each takes its time.
MAX_FAULTS: Final = 20
#: Not every version of pydantic that we allow has two threads build a form one after the other.
_BUILDING: Final = Lock()


def read_policy(text: bytes, source: str) -> Policy:
    r"""Read the text of a policy file.

    Args:
        text: TOML, as UTF-8.
        source: The name of the file, for messages.

    Raises:
        PolicyInvalid: It cannot be used; its first 20 faults are listed, each with its line.

    >>> read_policy(b"[tools.refund]\nconfirm = 'always'", "policy.toml").hash
    '0cf47af4e315'
    """
    content, data = _parse(text, source)
    with _BUILDING:
        Declaration.model_rebuild()
    try:
        declaration = Declaration.model_validate(data)
    except ValidationError as error:
        told = error.errors()[:MAX_FAULTS]
        faults = [_fault(one, content, data, source) for one in told]
        raise PolicyInvalid.of(source, faults) from None
    return Policy(declaration, hashlib.sha256(text).hexdigest()[:HASH_LENGTH], source, content)


def _parse(text: bytes, source: str) -> tuple[str, dict[str, Any]]:
    try:
        content = text.decode("utf-8-sig")
        return content, tomllib.loads(content)
    except UnicodeDecodeError as error:
        reason = f"it is no UTF-8 text (byte {error.start})"
    except ValueError as error:  # of TOML; and Python's own of a number with too many digits
        reason = f"it is no TOML: {error}"
    except RecursionError:
        reason = "it is nested too deeply"
    raise PolicyInvalid.of(source, [PolicyFault(source, 0, "", reason)])


def _fault(error: Any, content: str, data: Mapping[str, Any], source: str) -> PolicyFault:
    path = _real(error["loc"], data)
    return PolicyFault(source, line_of(content, path), dotted(path), reason_of(error, path))


def _real(location: Path, data: Any) -> Path:
    """Leave out the steps that are no key of the file: pydantic names the kinds it tried, too."""
    path: list[str | int] = []
    for step in location:
        found = below(data, step)
        if found is not NOWHERE:
            data = found
            path.append(step)
    return path
