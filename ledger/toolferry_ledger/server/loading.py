"""The settings of this process, with a server behind them whatever was configured."""

from __future__ import annotations

import os
from collections.abc import Mapping

from toolferry_ledger.server.membership import join
from toolferry_ledger.settings import Settings, read_home


def load_settings(environ: Mapping[str, str] = os.environ) -> Settings:
    """Give this process the settings of its system.

    With `TOOLFERRY_URL` they come from the environment alone. Without it, the embedded server of
    `TOOLFERRY_HOME` is made to run, and this process becomes one of its users until it ends; the
    last one stops it. Called again, it starts an embedded server that has died meanwhile.

    Raises:
        ConfigurationError: A value cannot be used, or no server is installed.
        LedgerUnavailable: The embedded server does not start or does not answer.
    """
    if environ.get("TOOLFERRY_URL"):
        return Settings.from_env(environ)
    served = join(read_home(environ))
    given = {name: value for name, value in environ.items() if value}
    return Settings.from_env(
        {"TOOLFERRY_SECRET": served.secret, **given, "TOOLFERRY_URL": served.url}
    )
