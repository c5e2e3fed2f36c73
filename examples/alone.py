"""Examples run on a system of their own, whatever is configured on the machine."""

from __future__ import annotations

import atexit
import os
import shutil
import tempfile


def be_alone(name: str) -> None:
    """Use a new embedded server in a folder of its own, which goes when the program ends."""
    for variable in [one for one in os.environ if one.startswith("TOOLFERRY_")]:
        del os.environ[variable]
    home = tempfile.mkdtemp(prefix=f"toolferry-{name}-")
    # Registered before the server is: so it runs after the server has stopped.
    atexit.register(shutil.rmtree, home, ignore_errors=True)
    os.environ["TOOLFERRY_HOME"] = home
