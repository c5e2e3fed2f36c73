"""What the environment variables mean, and what is said when they are wrong."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from kombu.utils.url import url_to_parts as parse_kombu
from redis import ConnectionPool

from toolferry import ConfigurationError
from toolferry_ledger import Settings, transport_options
from toolferry_ledger.address import ServerAddress, read_address
from toolferry_ledger.settings import read_home

PASSWORDS = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=20)
ENVIRONMENT = {
    "TOOLFERRY_URL": "redis://:pw@host:6380/3",
    "TOOLFERRY_SECRET": "0123456789abcdef",
}


def redis_arguments(url: str) -> dict[str, Any]:
    """Give what redis-py reads from a URL."""
    return {"password": None, **ConnectionPool.from_url(url).connection_kwargs}


def settings_with(**changes: str) -> Settings:
    """Read the settings of a working environment with some variables changed."""
    return Settings.from_env({**ENVIRONMENT, **changes})


def test_what_is_not_set_has_its_documented_default() -> None:
    """Only the URL and the secret have to be given."""
    settings = settings_with()

    assert settings.namespace == "toolferry"
    assert settings.broker_url is None
    assert settings.tools is None
    assert settings.key_prefix == "tf:toolferry:"
    assert settings.home == Path(".toolferry").absolute()


def test_an_empty_variable_counts_as_not_set() -> None:
    """Compose files pass empty texts for what nobody set."""
    settings = settings_with(
        TOOLFERRY_NAMESPACE="", TOOLFERRY_BROKER_URL="", TOOLFERRY_TOOLS="", TOOLFERRY_HOME=""
    )

    assert settings == settings_with()


def test_another_process_gets_the_same_settings_from_the_environment() -> None:
    """What one process hands to its children makes them part of the same system."""
    settings = settings_with(
        TOOLFERRY_NAMESPACE="mine",
        TOOLFERRY_BROKER_URL="amqp://guest:guest@rabbit:5672//",
        TOOLFERRY_TOOLS="a,b",
        TOOLFERRY_HOME="/var/lib/toolferry",
        TOOLFERRY_WAIT_REPLICAS="2",
    )

    assert Settings.from_env(settings.environment()) == settings


def test_a_secret_of_any_bytes_reaches_another_process() -> None:
    """Bytes that are no text survive the way through the environment."""
    settings = Settings(url="redis://host", secret=b"\xff\x01\xfe" * 8)

    assert Settings.from_env(settings.environment()).secret == settings.secret


@pytest.mark.parametrize("name", ["TOOLFERRY_URL", "TOOLFERRY_SECRET"])
def test_a_missing_variable_is_named(name: str) -> None:
    """The error names what is to be set."""
    with pytest.raises(ConfigurationError, match=name) as caught:
        settings_with(**{name: ""})

    assert caught.value.setting == name


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("TOOLFERRY_URL", "http://host"),
        ("TOOLFERRY_URL", "host:6379"),
        ("TOOLFERRY_URL", "redis://:hush@host:port/0"),
        ("TOOLFERRY_URL", "redis://:hush@host:6379/x"),
        ("TOOLFERRY_URL", "redis://:hu/hush@host:6379/0"),
        ("TOOLFERRY_URL", "redis://:hu#hush@host:6379/0"),
        ("TOOLFERRY_URL", "redis://:hu?hush@host:6379/0"),
        ("TOOLFERRY_URL", "redis://:hush@host:6379/0?db=hush"),
        ("TOOLFERRY_URL", "redis://[hush/0"),
        ("TOOLFERRY_URL", "unix://"),
        ("TOOLFERRY_URL", "sentinel://:hu/hush@a:1"),
        ("TOOLFERRY_URL", "sentinel://:hush@a:1,b:2/0"),
        ("TOOLFERRY_URL", "sentinel://:hush@a:1,b:port/0?master=m"),
        ("TOOLFERRY_URL", "sentinel://:hush@a:1;sentinel://:hush@b:2/0?master=m"),
        ("TOOLFERRY_URL", "sentinel://a/0?master=m&hush=hush"),
        ("TOOLFERRY_URL", "rediss://host/0?ssl_cert_reqs=hush"),
        ("TOOLFERRY_URL", "rediss://host/0?ssl_check_hostname=hush"),
        ("TOOLFERRY_URL", "rediss://host/0?ssl_hush=1"),
        ("TOOLFERRY_URL", "redis://host/0?ssl_ca_certs=hush"),
        ("TOOLFERRY_WAIT_REPLICAS", "-1"),
        ("TOOLFERRY_WAIT_REPLICAS", "two"),
        ("TOOLFERRY_SECRET", "hush"),
        ("TOOLFERRY_SECRET", "0123456789abcdef,hush"),
        ("TOOLFERRY_SECRET", "0123456789abcdef,"),
        ("TOOLFERRY_NAMESPACE", "Upper"),
        ("TOOLFERRY_NAMESPACE", "a" * 41),
        ("TOOLFERRY_NAMESPACE", "a:b"),
        ("TOOLFERRY_BROKER_URL", "hush"),
        ("TOOLFERRY_BROKER_URL", "redis://:hush@host:port/0"),
    ],
)
def test_a_wrong_value_is_refused_without_repeating_a_password(name: str, value: str) -> None:
    """The error names the variable and keeps its secrets to itself."""
    with pytest.raises(ConfigurationError, match=name) as caught:
        settings_with(**{name: value})

    assert "hush" not in str(caught.value)
    assert caught.value.__cause__ is None


def test_passwords_and_secrets_are_neither_in_the_repr_nor_in_the_safe_url() -> None:
    """Settings may be logged."""
    settings = settings_with(
        TOOLFERRY_URL="redis://me:hush@host:6380/3?password=hush",
        TOOLFERRY_SECRET="hush" * 4,
        TOOLFERRY_BROKER_URL="amqp://me:hush@rabbit",
    )

    assert "hush" not in repr(settings)
    assert "hush" not in repr(read_address("TOOLFERRY_URL", settings.url))
    assert settings.safe_url == "redis://host:6380/3"


@pytest.mark.parametrize(
    ("url", "safe"),
    [
        ("redis://:pw@host", "redis://host:6379/0"),
        ("rediss://me:pw@host:1/2?ssl_cert_reqs=none", "rediss://host:1/2"),
        ("redis://:pw@[::1]:7/1", "redis://[::1]:7/1"),
        ("unix://:pw@/run/t.sock?db=2", "unix:///run/t.sock?db=2"),
        (
            "sentinel://:pw@a:1,b/2?master=m&sentinel_password=pw",
            "sentinel://a:1,b:26379/2?master=m",
        ),
    ],
)
def test_the_safe_url_says_where_the_server_is(url: str, safe: str) -> None:
    """Errors name the server by its URL without the password."""
    assert settings_with(TOOLFERRY_URL=url).safe_url == safe


@given(password=PASSWORDS, db=st.integers(0, 15))
def test_redis_and_kombu_read_the_same_tcp_server(password: str, db: int) -> None:
    """Whatever is in the password, both libraries get it as it is."""
    address = ServerAddress(scheme="redis", password=password, host="host:7", db=db)

    by_redis = redis_arguments(address.redis_url)
    by_kombu = parse_kombu(address.kombu_url)

    assert (by_redis["password"] or "") == (by_kombu.password or "") == password
    assert (by_redis["host"], by_redis["port"]) == (by_kombu.hostname, by_kombu.port)
    assert by_redis["db"] == int(by_kombu.path or -1) == db


@given(password=PASSWORDS, path=PASSWORDS, db=st.integers(0, 15))
def test_redis_and_kombu_read_the_same_socket(password: str, path: str, db: int) -> None:
    """Each library has its own form of URL for a socket, and both lead to one place."""
    address = ServerAddress(scheme="unix", password=password, path=f"/run/{path}", db=db)

    by_redis = redis_arguments(address.redis_url)
    by_kombu = parse_kombu(address.kombu_url.removeprefix("redis+"))

    assert (by_redis["password"] or "") == (by_kombu.password or "") == password
    assert by_redis["path"] == f"/{by_kombu.path}" == f"/run/{path}"
    assert by_redis["db"] == int(by_kombu.query["virtual_host"]) == db


@given(password=PASSWORDS, db=st.integers(0, 15))
def test_a_rendered_address_reads_back_as_it_was(password: str, db: int) -> None:
    """Rendering loses nothing."""
    address = ServerAddress(scheme="rediss", password=password, host="host:7", db=db)

    assert read_address("TOOLFERRY_URL", address.redis_url) == address


def test_kombu_gets_no_option_that_it_does_not_know() -> None:
    """What is in the query is redis-py's, except for TLS, which both know."""
    url = "rediss://host/1?socket_timeout=3&ssl_cert_reqs=none"

    settings = settings_with(TOOLFERRY_URL=url)

    assert settings.redis_url == "rediss://host:6379/1?socket_timeout=3&ssl_cert_reqs=none"
    assert settings.kombu_url == "rediss://host:6379/1?ssl_cert_reqs=none"


@pytest.mark.parametrize(
    ("given_url", "kombu_url"),
    [
        ("amqp://guest:guest@rabbit:5672//", "amqp://guest:guest@rabbit:5672//"),
        ("unix://:pw@/run/b.sock?db=1", "redis+socket://:pw@/run/b.sock?virtual_host=1"),
        ("redis://broker?db=4", "redis://broker:6379/4"),
    ],
)
def test_the_broker_may_be_another_server(given_url: str, kombu_url: str) -> None:
    """Celery's messages go where the broker's URL says, written the way kombu wants it."""
    settings = settings_with(TOOLFERRY_BROKER_URL=given_url)

    assert settings.kombu_url == kombu_url
    assert settings.redis_url == "redis://:pw@host:6380/3"


def test_kombu_gets_every_sentinel_and_the_primarys_name() -> None:
    """Its URL repeats the login for each, and its options say the rest."""
    url = "sentinel://me:p%40ss@a,[::1]:7/3?master=tools&sentinel_password=hush"

    settings = settings_with(TOOLFERRY_URL=url)
    options = transport_options(settings)

    assert settings.kombu_url == ("sentinel://me:p%40ss@a:26379/3;sentinel://me:p%40ss@[::1]:7/3")
    assert options["master_name"] == "tools"
    assert options["sentinel_kwargs"]["password"] == "hush"  # noqa: S105 -- an example
    assert "hush" not in repr(settings.address)


def test_what_is_said_of_tls_holds_for_sentinels_too() -> None:
    """One option turns TLS on, with certificates checked."""
    url = "sentinel://a/0?master=tools&ssl_ca_certs=/ca.pem"

    settings = settings_with(TOOLFERRY_URL=url)
    of_sentinels = transport_options(settings)["sentinel_kwargs"]

    assert settings.kombu_url.endswith("?ssl_ca_certs=%2Fca.pem&ssl_cert_reqs=required")
    assert of_sentinels["ssl"] is True
    assert of_sentinels["ssl_cert_reqs"] == "required"


def test_kombu_checks_certificates_unless_it_is_told_not_to() -> None:
    """redis-py does by itself, kombu does not."""
    settings = settings_with(TOOLFERRY_URL="rediss://host/1")

    assert settings.kombu_url == "rediss://host:6379/1?ssl_cert_reqs=required"


def test_other_brokers_get_no_options_of_redis() -> None:
    """Each transport knows its own words only."""
    settings = settings_with(TOOLFERRY_BROKER_URL="amqp://rabbit//")

    assert set(transport_options(settings)) == {"read_timeout", "write_timeout"}


def test_the_home_is_absolute_and_may_start_at_the_users_own() -> None:
    """Two processes with different working folders mean the same home."""
    assert read_home({"TOOLFERRY_HOME": "~/tf"}) == Path.home() / "tf"
    assert read_home({"TOOLFERRY_HOME": "here"}) == Path.cwd() / "here"
