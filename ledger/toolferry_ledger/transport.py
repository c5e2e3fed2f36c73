"""How kombu talks to the broker: each kind of broker knows other words.

kombu takes 0.1 s to import, and who talks to the ledger's own server alone, as most agents do,
needs none: it is imported when something connects, never for each call.
"""

from __future__ import annotations

from functools import cache
from typing import Any, Final

from redis.exceptions import RedisError

from toolferry_ledger.connection import ANSWER_TIMEOUT, CONNECT_TIMEOUT
from toolferry_ledger.sentinels import SentinelAddress
from toolferry_ledger.settings import Settings

#: No emulated acknowledgements, since the ledger decides; one list for each queue.
_REDIS: Final[dict[str, Any]] = {
    "ack_emulation": False,
    "priority_steps": [0],
    "socket_timeout": ANSWER_TIMEOUT,
    "socket_connect_timeout": CONNECT_TIMEOUT,
    "socket_keepalive": True,
    # A worker's connection that died unseen is given up after 4 to 7 s: this, and one more second
    # for which an idle server may be silent.
    "health_check_interval": 3,
}
#: A broker that is frozen must hold up neither a dispatcher nor the reaper. Publishing is not
#: confirmed: a lost notice is healed, and waiting for the broker's disk would cost every turn.
_AMQP: Final[dict[str, Any]] = {"read_timeout": ANSWER_TIMEOUT, "write_timeout": ANSWER_TIMEOUT}


def transport_options(settings: Settings) -> dict[str, Any]:
    """Give kombu's transport options for the broker of these settings; none for a strange one."""
    address = settings.broker_address
    if isinstance(address, SentinelAddress):
        return {**_REDIS, **address.transport_options}
    if address is not None:
        return dict(_REDIS)
    return dict(_AMQP) if settings.kombu_url.startswith(("amqp", "pyamqp")) else {}


@cache
def broker_trouble() -> tuple[type[Exception], ...]:
    """Give what kombu raises over Redis, and over AMQP, whose errors are no kombu errors."""
    from kombu.exceptions import ConnectionError as AMQPConnectionError  # noqa: PLC0415 -- see above
    from kombu.exceptions import KombuError, OperationalError  # noqa: PLC0415 -- as above

    return KombuError, OperationalError, RedisError, OSError, AMQPConnectionError, queue_missing()


@cache
def queue_missing() -> type[Exception]:
    """Give what kombu raises where there is no queue of that name."""
    from kombu.exceptions import ChannelError  # noqa: PLC0415 -- as above

    return ChannelError
