"""URLs of public hosts: what their text may be."""

from __future__ import annotations

from ipaddress import IPv4Address, IPv6Address, ip_address
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.policies.rules.asking import ask, denied, permits
from toolferry import ConfigurationError
from toolferry_policies import Deny, Permit
from toolferry_policies.rules import public_url
from toolferry_policies.rules.addresses import is_public
from toolferry_policies.rules.urls import target_of

RULE = public_url("value")


@pytest.mark.parametrize(
    "url",
    [
        "https://example.org",
        "HTTP://Example.ORG:8080/a/b?c=d&e=[f]#g",
        "https://xn--bcher-kva.example.org/",
        "https://zh.example.org/wiki/维基",
        "http://93.184.215.14/",
        "http://[2606:4700::1111]:80/",
        "https://a_b.example.org?q=a@b:c",
        "https://example.org/http://localhost/",
    ],
)
def test_the_url_of_a_public_host_is_permitted(url: str) -> None:
    """With port, path, query and fragment."""
    assert permits(RULE, url)


@pytest.mark.parametrize(
    "host",
    [
        "localhost",
        "LOCALHOST",
        "localhost.",
        "app.localhost",
        "printer.local",
        "db.internal",
        "metadata.google.internal",
        "metadata.goog",
        "intranet",
        "router.home.arpa",
        "api.default.svc",
        "api.default.svc.cluster.local",
        "example.org.",
        "example..org",
        ".example.org",
        "-a.example.org",
        "127.0.0.1",
        "127.1",
        "127.0.0.1.",
        "0",
        "0.0.0.0",  # noqa: S104 -- nothing is bound
        "2130706433",
        "017700000001",
        "0177.0.0.1",
        "0x7f000001",
        "0x7f.1",
        "0x7f.0.0.0x1",
        "127.0.0.0x1",
        "127.0.0.01",
        "127.000.000.001",
        "256.1.1.1",
        "1.2.3.4.5",
        "10.0.0.1",
        "172.16.0.1",
        "172.31.255.255",
        "192.168.1.1",
        "169.254.169.254",
        "100.64.0.1",
        "100.100.100.200",
        "168.63.129.16",
        "192.0.0.192",
        "198.18.0.1",
        "224.0.0.1",
        "240.0.0.1",
        "255.255.255.255",
        "[::1]",
        "[::]",
        "[::ffff:127.0.0.1]",
        "[::ffff:7f00:1]",
        "[::ffff:93.184.215.14]",
        "[::127.0.0.1]",
        "[0:0:0:0:0:0:0:1]",
        "[fe80::1]",
        "[fe80::1%25eth0]",
        "[fe80::1%eth0]",
        "[fc00::1]",
        "[fd00:ec2::254]",
        "[ff02::1]",
        "[64:ff9b::7f00:1]",
        "[64:ff9b:1::1]",
        "[2002:7f00:1::]",
        "[2001::1]",
        "[2001:db8::1]",
        "[1::1]",
        "[::1",
        "::1",
        "user@example.org",
        "user:password@example.org",
        "example.org@127.0.0.1",
        "127.0.0.1\\@example.org",
        "example.org\\@127.0.0.1",
        "example.org\\.evil.example",
        "127.0.0.1%2f@example.org",
        "127.0.0.1%00.example.org",
        "%6c%6f%63%61%6c%68%6f%73%74",
        "ⓛocalhost.example",
        "\uff11\uff12\uff17.0.0.1",
        "127。0。0。1",
        "exam\u00adple.org",
        "bücher.example.org",
        "example.org:",
        "example.org:0",
        "example.org:65536",
        "example.org:80:80",
        "example.org:\uff18\uff10",
        "exa mple.org",
        "exam\tple.org",
        "example.org\n",
        "",
        "..",
        "a" * 64 + ".org",
    ],
)
def test_no_other_host_is_permitted_in_any_spelling(host: str) -> None:
    """Neither one of our own nor one that two readers would read in two ways."""
    assert not permits(RULE, f"http://{host}/")
    assert not permits(RULE, f"https://{host}")


@pytest.mark.parametrize(
    "url",
    [
        "ftp://example.org/",
        "file:///etc/passwd",
        "gopher://example.org/",
        "javascript:alert(1)",
        "data:text/plain,x",
        "//example.org/",
        "/etc/passwd",
        "example.org",
        "http:example.org",
        "http:/example.org",
        "http:///example.org",
        "http:\\\\example.org",
        " http://example.org/",
        "http://example.org/ ",
        "http://example.org/a b",
        "http://example.org/\r\nHost: x",
        "http://example.org/\0",
        "http://example.org/\u2028",
        "view-source:http://example.org",
        "http://example.org/" + "a" * 2_048,
        "",
        7,
        ["https://example.org"],
    ],
)
def test_nothing_else_is_such_a_url(url: Any) -> None:
    """Other schemes, other shapes, and blanks that some readers drop."""
    assert isinstance(ask(RULE, value=url), Deny)


def test_a_refusal_names_the_very_url_of_a_list() -> None:
    """So that a model can mend it."""
    verdict = denied(ask(public_url("links[].url"), links=[{"url": "http://10.0.0.1/"}]))

    assert verdict.message == (
        "links[0].url is not allowed: expected an http or https URL of a public host, "
        'without user name, got "http://10.0.0.1/".'
    )


def test_a_network_can_be_opened_by_the_owner_of_the_tool() -> None:
    """And nothing beside it."""
    rule = public_url("value", also=["10.1.0.0/16", "fd00:1::/32"])

    assert permits(rule, "http://10.1.2.3/")
    assert permits(rule, "http://[fd00:1::5]/")
    assert not permits(rule, "http://10.2.0.1/")
    with pytest.raises(ConfigurationError):
        public_url("value", also=["10.0.0.1/8"])


@given(st.ip_addresses(v=4))
def test_an_address_that_is_permitted_is_one_that_python_calls_global(address: IPv4Address) -> None:
    """And neither multicast nor reserved."""
    if permits(RULE, f"http://{address}/"):
        assert address.is_global
        assert not any((address.is_multicast, address.is_reserved))


@given(st.ip_addresses(v=6) | st.integers(0, 2**32 - 1).map(lambda n: IPv6Address(2**125 + n)))
def test_an_ipv6_address_that_is_permitted_is_global(address: IPv6Address) -> None:
    """Whatever it hides is judged too."""
    if permits(RULE, f"http://[{address}]/"):
        assert address.is_global or address in _TRANSLATED_PUBLIC
        assert not any((address.is_multicast, address.ipv4_mapped, address.sixtofour))


#: Behind a translator: judged by the address that it leads to.
_TRANSLATED_PUBLIC = {ip_address("64:ff9b::5db8:d70e")}


def test_an_address_behind_a_translator_is_what_it_leads_to() -> None:
    """As hosts without IPv4 see the public ones."""
    assert is_public(ip_address("64:ff9b::5db8:d70e"))
    assert not is_public(ip_address("64:ff9b::a9fe:a9fe"))


@given(st.text(max_size=40))
def test_any_text_gets_a_verdict_and_what_is_permitted_has_one_reading(text: str) -> None:
    """The host is plain ASCII and the target holds no blank."""
    verdict = ask(RULE, value=f"http://{text}")

    assert isinstance(verdict, Permit | Deny)
    if isinstance(verdict, Permit):
        target = target_of(f"http://{text}")
        assert target
        assert target.host.isascii()
        assert not any(sign.isspace() for sign in target.target)
