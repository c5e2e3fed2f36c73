"""The settings: what an installation says through its environment variables."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from toolferry import ConfigurationError
from toolferry_ledger.address import Address, ServerAddress, read_address
from toolferry_ledger.audit.setting import AuditSetting
from toolferry_ledger.keeping import Keeping
from toolferry_ledger.signing import keys_of

#: Separates the systems that share one server.
DEFAULT_NAMESPACE: Final = "toolferry"
#: Where the embedded server keeps its data when `TOOLFERRY_HOME` is not set.
DEFAULT_HOME: Final = Path(".toolferry")
#: Bytes that a secret has at the least; below, its signatures could be guessed offline.
MIN_SECRET: Final = 16
#: Bytes that it should have: as many as what it signs with has.
GOOD_SECRET: Final = 32

#: How the URLs of Redis and Valkey servers begin.
_OF_REDIS: Final = ("redis://", "rediss://", "unix://", "sentinel://")
_NAMESPACE: Final = re.compile(r"[a-z0-9_-]{1,40}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Everything that makes processes part of the same system. Passwords are not in its repr.

    Raises:
        ConfigurationError: A value cannot be used; names its variable.
    """

    #: `TOOLFERRY_URL`: the server of the ledger, password included.
    url: str = field(repr=False)
    #: `TOOLFERRY_SECRET`: signs every call, so that workers run only what a dispatcher wrote.
    #: Several with commas between them: the first signs and encrypts, any verifies and decrypts.
    secret: bytes = field(repr=False)
    #: `TOOLFERRY_NAMESPACE`: 1 to 40 of a-z, 0-9, `_` and `-`.
    namespace: str = DEFAULT_NAMESPACE
    #: `TOOLFERRY_BROKER_URL`: where Celery's messages go; None for the server of the ledger.
    broker_url: str | None = field(default=None, repr=False)
    #: `TOOLFERRY_HOME`: the folder of the embedded server.
    home: Path = DEFAULT_HOME
    #: `TOOLFERRY_TOOLS`: the modules that hold the tools, separated by commas.
    tools: str | None = None
    #: `TOOLFERRY_WAIT_REPLICAS`: on how many replicas the claim of a call that must not run twice
    #: has to be before its handler starts, 0 or more.
    wait_replicas: int = 0
    #: Times that leases, records and failing tools live by; see `Keeping` for their variables.
    keeping: Keeping = field(default_factory=Keeping)
    #: `TOOLFERRY_AUDIT`: that what happens to calls is recorded, and where; None for not at all.
    audit: AuditSetting | None = None

    def __post_init__(self) -> None:
        read_address("TOOLFERRY_URL", self.url)
        if self.broker_url is not None:
            _check_broker(self.broker_url)
        if not _NAMESPACE.fullmatch(self.namespace):
            raise ConfigurationError(
                "TOOLFERRY_NAMESPACE",
                f"{self.namespace!r} must be 1 to 40 characters of a-z, 0-9, _ and -",
            )
        shortest = min(map(len, keys_of(self.secret)))
        if shortest < MIN_SECRET:
            raise ConfigurationError(
                "TOOLFERRY_SECRET",
                f"has {shortest} bytes and must have at least {MIN_SECRET};"
                " make one with: openssl rand -hex 32",
            )

    @classmethod
    def from_env(cls, environ: Mapping[str, str] = os.environ) -> Settings:
        """Read the settings of a system whose server is configured; empty counts as not set.

        Raises:
            ConfigurationError: `TOOLFERRY_URL` or `TOOLFERRY_SECRET` is missing, or a value
                cannot be used.
        """
        return cls(
            url=_required(environ, "TOOLFERRY_URL"),
            # As the system gave it: a variable may hold bytes that are no text.
            secret=os.fsencode(_required(environ, "TOOLFERRY_SECRET")),
            namespace=environ.get("TOOLFERRY_NAMESPACE") or DEFAULT_NAMESPACE,
            broker_url=environ.get("TOOLFERRY_BROKER_URL") or None,
            home=read_home(environ),
            tools=environ.get("TOOLFERRY_TOOLS") or None,
            wait_replicas=_count(environ, "TOOLFERRY_WAIT_REPLICAS"),
            keeping=Keeping.from_env(environ),
            audit=AuditSetting.from_env(environ),
        )

    @property
    def address(self) -> Address:
        """Where the ledger's server is."""
        return read_address("TOOLFERRY_URL", self.url)

    @property
    def redis_url(self) -> str:
        """The ledger's URL as `redis.Redis.from_url` takes it; sentinels have none."""
        address = self.address
        return address.redis_url if isinstance(address, ServerAddress) else self.url

    @property
    def broker_address(self) -> Address | None:
        """Where the queues are; None when the broker is no Redis or Valkey server."""
        if self.broker_url is None:
            return self.address
        if self.broker_url.startswith(_OF_REDIS):
            return read_address("TOOLFERRY_BROKER_URL", self.broker_url)
        return None

    @property
    def kombu_url(self) -> str:
        """The broker's URL as kombu and Celery take it, beside `transport_options`."""
        address = self.broker_address
        return address.kombu_url if address else self.broker_url or ""

    @property
    def broker_is_own(self) -> bool:
        """Whether the queues are in the ledger's server, where its scripts publish themselves."""
        return self.broker_url is None

    @property
    def safe_url(self) -> str:
        """The ledger's URL without its password, fit for messages and logs."""
        return self.address.safe_url

    @property
    def key_prefix(self) -> str:
        """What every key of this system starts with; `keys` tells what follows."""
        return f"tf:{self.namespace}:"

    def environment(self) -> dict[str, str]:
        """Give the variables that make another process part of the same system.

        They hold the password and the secret: for the environment of a child, never for a log.
        """
        variables = {
            "TOOLFERRY_URL": self.url,
            "TOOLFERRY_SECRET": os.fsdecode(self.secret),
            "TOOLFERRY_NAMESPACE": self.namespace,
            "TOOLFERRY_HOME": str(self.home),
            "TOOLFERRY_BROKER_URL": self.broker_url,
            "TOOLFERRY_TOOLS": self.tools,
            "TOOLFERRY_WAIT_REPLICAS": str(self.wait_replicas) if self.wait_replicas else None,
            **self.keeping.environment(),
            **(self.audit.environment() if self.audit else {}),
        }
        return {name: value for name, value in variables.items() if value is not None}


def read_home(environ: Mapping[str, str] = os.environ) -> Path:
    """Give the folder of the embedded server, absolute; it need not exist."""
    return Path(environ.get("TOOLFERRY_HOME") or DEFAULT_HOME).expanduser().absolute()


def _check_broker(url: str) -> None:
    if url.startswith(_OF_REDIS):
        read_address("TOOLFERRY_BROKER_URL", url)
    elif "://" not in url:
        raise ConfigurationError(
            "TOOLFERRY_BROKER_URL", "is no URL such as amqp://user:password@host:5672//"
        )


def _count(environ: Mapping[str, str], name: str) -> int:
    text = environ.get(name) or "0"
    if not (text.isascii() and text.isdigit()):
        raise ConfigurationError(name, f"{text!r} must be a whole number, 0 or more")
    return int(text)


def _required(environ: Mapping[str, str], name: str) -> str:
    value = environ.get(name)
    if not value:
        raise ConfigurationError(name, "is not set")
    return value
