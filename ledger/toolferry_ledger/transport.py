"""How kombu talks to the broker: each kind of broker knows other words."""

from __future__ import annotations

from typing import Any, Final

from kombu.exceptions import ChannelError, KombuError, OperationalError
from kombu.exceptions import ConnectionError as AMQPConnectionError
from redis.exceptions import RedisError

from toolferry_ledger.connection import ANSWER_TIMEOUT, CONNECT_TIMEOUT
from toolferry_ledger.sentinels import SentinelAddress
from toolferry_ledger.settings import Settings

#: What kombu raises over Redis, and over AMQP, whose errors are no kombu errors.
BROKER_TROUBLE: Final = (
    KombuError,
    OperationalError,
    RedisError,
    OSError,
    AMQPConnectionError,
    ChannelError,
)
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
