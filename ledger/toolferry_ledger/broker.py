"""The broker, as far as anybody but workers has to do with it: whether it can be reached."""

from __future__ import annotations

from toolferry_ledger.connection import CONNECT_TIMEOUT
from toolferry_ledger.settings import Settings
from toolferry_ledger.transport import broker_trouble, transport_options


def broker_fault(settings: Settings) -> str | None:
    """Say why the broker cannot be reached, without its password; None when it can, within 5 s."""
    from kombu import Connection  # noqa: PLC0415 -- see `transport`

    connection = Connection(
        settings.kombu_url,
        connect_timeout=CONNECT_TIMEOUT,
        transport_options=transport_options(settings),
    )
    try:
        connection.ensure_connection(max_retries=1, interval_start=0, timeout=CONNECT_TIMEOUT)
    except broker_trouble() as error:
        return f"{connection.as_uri()} does not answer ({error})"
    finally:
        connection.release()
    return None
