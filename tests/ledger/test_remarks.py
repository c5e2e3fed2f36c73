"""Remarks: what is said about a server, by its facts alone."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from toolferry_ledger.server import Grade, Remark, ServerFacts, promise_of, remarks_on

GOOD = ServerFacts(product="Valkey", version="9.1.0", fsync="everysec")


def remark(about: str, **changes: Any) -> Remark:
    """Give the remark on one thing about a server that is good but for some changes."""
    found = remarks_on(replace(GOOD, **changes))
    return next(one for one in found if one.about == about)


def test_nothing_is_said_against_a_good_server() -> None:
    """The embedded one is like that."""
    assert {one.grade for one in remarks_on(GOOD)} == {Grade.OK}


@pytest.mark.parametrize(
    ("about", "changes", "grade", "said"),
    [
        ("version", {"product": "Redis", "version": "6.2.14"}, Grade.FAIL, "Redis 6.2.14"),
        ("version", {"product": "Redis", "version": "7.0.15"}, Grade.OK, "Redis 7.0.15"),
        ("permissions", {"forbidden": ("TIME", "XREAD")}, Grade.FAIL, "TIME, XREAD"),
        ("role", {"is_cluster": True}, Grade.FAIL, "cluster"),
        ("role", {"is_replica": True}, Grade.FAIL, "replica"),
        ("persistence", {"appends": False}, Grade.WARN, "restart loses"),
        ("persistence", {"fsync": "no"}, Grade.WARN, "appendfsync no"),
        ("persistence", {"fsync": None}, Grade.OK, "may not ask"),
        ("persistence", {"append_failed": True}, Grade.FAIL, "cannot write"),
        ("memory", {"eviction": "allkeys-lru"}, Grade.OK, "no limit"),
        (
            "memory",
            {"eviction": "allkeys-lru", "max_memory": 1 << 30},
            Grade.WARN,
            "maxmemory-policy allkeys-lru",
        ),
        ("memory", {"max_memory": 100, "used_memory": 95}, Grade.WARN, "95%"),
        ("memory", {"max_memory": 100, "used_memory": 100}, Grade.FAIL, "100%"),
        ("replicas", {"replicas": 2}, Grade.OK, "2 are connected"),
        ("replicas", {"replicas": 1, "awaited_replicas": 2}, Grade.WARN, "WAIT_REPLICAS is 2"),
    ],
)
def test_a_remark_says_what_it_is(
    about: str, changes: dict[str, Any], grade: Grade, said: str
) -> None:
    """And what to do, unless all is well."""
    one = remark(about, **changes)

    assert (one.grade, said in one.message) == (grade, True)
    assert bool(one.advice) == (grade is not Grade.OK)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"appends": False}, "They do not hold when the server restarts"),
        ({"fsync": "everysec"}, "its last second may be lost"),
        ({"fsync": "always"}, "hold as well when the server's host dies"),
        ({"fsync": None}, "what had not reached its disk may be lost"),
        ({"awaited_replicas": 1}, "starts before its claim has reached a replica"),
        ({"replicas": 1}, "A failover may lose what had not reached the replica."),
    ],
)
def test_the_promise_is_as_large_as_the_server_keeps_it(changes: dict[str, Any], said: str) -> None:
    """No more is claimed than what it was told to wait for."""
    assert said in promise_of(replace(GOOD, **changes))
