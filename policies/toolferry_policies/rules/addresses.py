"""Which IP addresses are public: of a host that anybody may reach, and not of our own networks."""

from __future__ import annotations

from collections.abc import Iterable
from ipaddress import (
    IPv4Address,
    IPv4Network,
    IPv6Address,
    IPv6Network,
    ip_address,
    ip_network,
)
from typing import Final, TypeAlias

from toolferry import ConfigurationError

Address: TypeAlias = IPv4Address | IPv6Address
Network: TypeAlias = IPv4Network | IPv6Network

#: Not public, with why. Source: the IANA registries of special-purpose addresses, and what the
#: clouds say of their metadata services.
_CLOSED_4: Final = tuple(
    IPv4Network(text)
    for text in (
        "0.0.0.0/8",  # this network
        "10.0.0.0/8",  # private
        "100.64.0.0/10",  # between carrier and customer; Alibaba's metadata
        "127.0.0.0/8",  # loopback
        "168.63.129.16/32",  # Azure's own services
        "169.254.0.0/16",  # link-local; metadata of most clouds
        "172.16.0.0/12",  # private
        "192.0.0.0/24",  # protocols; Oracle's metadata
        "192.0.2.0/24",  # documentation
        "192.88.99.0/24",  # relays to IPv6
        "192.168.0.0/16",  # private
        "198.18.0.0/15",  # measurements
        "198.51.100.0/24",  # documentation
        "203.0.113.0/24",  # documentation
        "224.0.0.0/4",  # multicast
        "240.0.0.0/4",  # reserved; broadcast
    )
)
#: All that is given out to hosts; loopback, link-local, unique local and mapped ones lie outside.
_GIVEN_OUT: Final = IPv6Network("2000::/3")
_CLOSED_6: Final = tuple(
    IPv6Network(text)
    for text in (
        "2001::/23",  # protocols; Teredo, which hides an IPv4 address
        "2001:db8::/32",  # documentation
        "2002::/16",  # 6to4, which hides an IPv4 address
        "3fff::/20",  # documentation
    )
)
#: An IPv4 address behind a translator, as hosts without IPv4 see the public ones.
_TRANSLATED: Final = IPv6Network("64:ff9b::/96")


def is_public(address: Address) -> bool:
    """Say whether an address is public.

    >>> [is_public(ip_address(one)) for one in ("93.184.215.14", "169.254.169.254", "::1")]
    [True, False, False]
    """
    if isinstance(address, IPv4Address):
        return not any(address in network for network in _CLOSED_4)
    if address in _TRANSLATED:
        return is_public(IPv4Address(int(address) & 0xFFFFFFFF))
    return address in _GIVEN_OUT and not any(address in network for network in _CLOSED_6)


def is_reachable(address: Address, also: tuple[Network, ...]) -> bool:
    """Say whether a call may reach an address: it is public, or opened by the tool's owner."""
    opened = any(address.version == one.version and address in one for one in also)
    return opened or is_public(address)


def address_of(text: str) -> Address | None:
    """Read an address in its one plain spelling; None for any other text.

    >>> address_of("127.0.0.1"), address_of("0177.0.0.1"), address_of("fe80::1%eth0")
    (IPv4Address('127.0.0.1'), None, None)
    """
    try:
        return None if "%" in text else ip_address(text)
    except ValueError:
        return None


def networks_of(texts: Iterable[str]) -> tuple[Network, ...]:
    """Read networks, such as `10.1.0.0/16`.

    Raises:
        ConfigurationError: One of them is none.
    """
    try:
        return tuple(map(ip_network, [texts] if isinstance(texts, str) else texts))
    except ValueError as error:
        raise ConfigurationError("also", f"{error}"[:200]) from error
