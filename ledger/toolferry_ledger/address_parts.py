"""The parts that addresses of all kinds have, and what is said of those that cannot be used."""

from __future__ import annotations

from typing import Final
from urllib.parse import quote, urlencode, urlsplit

#: The mend of most faults; no part of the URL is repeated, for it may be part of a password.
ENCODE: Final = "special characters in a password must be percent-encoded (/ is %2F, # is %23)"
#: What `ssl_cert_reqs` may say, from the strictest on.
CERTIFICATE_CHECKS: Final = ("required", "optional", "none")
#: What a URL may say of TLS. Both libraries know these words.
TLS_OPTIONS: Final = frozenset(
    {
        "ssl_ca_certs",
        "ssl_ca_path",
        "ssl_cert_reqs",
        "ssl_certfile",
        "ssl_check_hostname",
        "ssl_ciphers",
        "ssl_keyfile",
        "ssl_password",
    }
)

#: Pairs of a name and a value, as they stand in a URL's query.
Options = tuple[tuple[str, str], ...]


class AddressFault(ValueError):
    """A fault whose sentence is ours, and so holds no part of the URL."""


def read_database(text: str) -> int:
    """Read the number of a database.

    Raises:
        AddressFault: It is none.
    """
    if not (text.isascii() and text.isdigit()):
        raise AddressFault(f"the database must be a number, 0 or more; {ENCODE}")
    return int(text)


def read_host(text: str, default_port: int) -> tuple[str, int]:
    """Read `host`, `host:port` or `[address]:port`.

    Raises:
        ValueError: The port is no number.
    """
    parts = urlsplit(f"//{text}")
    return parts.hostname or "localhost", parts.port or default_port


def render_host(host: str, port: int) -> str:
    """Write a host and its port as URLs have them.

    >>> render_host("::1", 6379)
    '[::1]:6379'
    """
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def render_url(scheme: str, login: tuple[str, str], place: str, query: Options) -> str:
    """Write a URL; `login` is a user and a password, either may be empty."""
    user, password = quote(login[0], safe=""), quote(login[1], safe="")
    before = f"{user}:{password}@" if password else f"{user}@" if user else ""
    return f"{scheme}://{before}{place}{f'?{urlencode(query)}' if query else ''}"


def tls_options(options: Options) -> Options:
    """Give those options that are about TLS."""
    return tuple(option for option in options if option[0].startswith("ssl_"))


def check_tls(options: Options) -> Options:
    """Make sure that both libraries understand what is said of TLS, and in the same way.

    Raises:
        AddressFault: An option is not known, or has a value that it cannot have.
    """
    return tuple((name, _checked(name, value)) for name, value in options)


def _checked(name: str, value: str) -> str:
    if not name.startswith("ssl_"):
        return value
    if name not in TLS_OPTIONS:
        raise AddressFault(f"of TLS it may say {', '.join(sorted(TLS_OPTIONS))}")
    if name == "ssl_cert_reqs":
        return _one_of(name, value.lower().removeprefix("cert_"), CERTIFICATE_CHECKS)
    if name == "ssl_check_hostname":
        return _one_of(name, value.lower(), ("true", "false"))
    return value


def _one_of(name: str, value: str, known: tuple[str, ...]) -> str:
    if value not in known:
        raise AddressFault(f"{name} must be one of {', '.join(known)}")
    return value
