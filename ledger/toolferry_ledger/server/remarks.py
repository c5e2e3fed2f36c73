"""What there is to say about a server: pure rules from its facts to sentences with advice."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from toolferry_ledger.server.facts import ServerFacts

#: Older ones refuse to finish a call when they are full, and do not know the scripts' first line.
MINIMUM: Final = (7, 0)
#: The part of its memory from which on a server counts as nearly full.
NEARLY_FULL: Final = 0.9


class Grade(StrEnum):
    """How a check went."""

    OK = "ok"
    #: It works, and something that people may rely on does not hold.
    WARN = "warn"
    #: It cannot work.
    FAIL = "fail"


@dataclass(frozen=True, slots=True)
class Remark:
    """What was found out about one thing, and what to do."""

    #: What was looked at, one word.
    about: str
    grade: Grade
    #: One sentence, without a full stop.
    message: str
    #: What to do, without a full stop; empty when all is well.
    advice: str = ""


def remarks_on(facts: ServerFacts) -> list[Remark]:
    """Say of everything about a server whether it is as it should be.

    >>> [one.about for one in remarks_on(ServerFacts(product="Valkey", version="9.1.0"))]
    ['version', 'permissions', 'role', 'persistence', 'memory', 'replicas']
    """
    return [rule(facts) for rule in _RULES]


def _version(facts: ServerFacts) -> Remark:
    name = f"{facts.product} {facts.version}"
    if facts.product == "Redis" and _numbers(facts.version) < MINIMUM:
        needed = "Redis 7.0 or newer, or any Valkey, is needed"
        return Remark("version", Grade.FAIL, f"it is {name}", needed)
    return Remark("version", Grade.OK, f"it is {name}")


def _permissions(facts: ServerFacts) -> Remark:
    if not facts.forbidden:
        return Remark("permissions", Grade.OK, "its user may use every command that is needed")
    return Remark(
        "permissions",
        Grade.FAIL,
        f"its user may not use {', '.join(facts.forbidden)}",
        "grant what docs/operations.md lists, for example with ACL SETUSER",
    )


def _role(facts: ServerFacts) -> Remark:
    if facts.is_cluster:
        return Remark(
            "role",
            Grade.FAIL,
            "it is a node of a cluster, which keeps the keys of one call apart",
            "use a server with cluster-enabled no; a primary with replicas is fine",
        )
    if facts.is_replica:
        advice = "give the address of its primary, or of the sentinels"
        return Remark("role", Grade.FAIL, "it is a replica, which takes no writes", advice)
    return Remark("role", Grade.OK, "it is a primary")


def _persistence(facts: ServerFacts) -> Remark:
    if facts.append_failed:
        advice = "look at its log and at the space on its disk"
        return Remark("persistence", Grade.FAIL, "it cannot write to its append file", advice)
    if not facts.appends:
        return Remark(
            "persistence",
            Grade.WARN,
            "it appends nothing to a file, so a restart loses open calls and results",
            "set appendonly yes",
        )
    if facts.fsync == "no":
        return Remark(
            "persistence",
            Grade.WARN,
            "it leaves it to its system when writes reach the disk (appendfsync no)",
            "set appendfsync everysec or always",
        )
    return Remark("persistence", Grade.OK, f"writes are appended ({_fsync_words(facts)})")


def _memory(facts: ServerFacts) -> Remark:
    if not facts.max_memory:
        return Remark("memory", Grade.OK, "it has no limit of memory, so it throws nothing away")
    part = facts.used_memory / facts.max_memory
    used = f"it uses {part:.0%} of {facts.max_memory / 2**20:,.0f} MiB"
    if facts.eviction != "noeviction":
        return Remark(
            "memory",
            Grade.WARN,
            f"{used}, and when it is full it throws calls away (maxmemory-policy {facts.eviction})",
            "set maxmemory-policy noeviction",
        )
    if part >= 1:
        advice = "raise maxmemory: new calls are refused until then"
        return Remark("memory", Grade.FAIL, used, advice)
    if part >= NEARLY_FULL:
        return Remark("memory", Grade.WARN, used, "raise maxmemory: a full one takes no calls")
    return Remark("memory", Grade.OK, used)


def _replicas(facts: ServerFacts) -> Remark:
    words = {0: "none is connected", 1: "1 is connected"}
    said = words.get(facts.replicas, f"{facts.replicas} are connected")
    if facts.replicas < facts.awaited_replicas:
        said = f"{said}, and TOOLFERRY_WAIT_REPLICAS is {facts.awaited_replicas}"
        advice = "connect more: calls that must not run twice do not start until then"
        return Remark("replicas", Grade.WARN, said, advice)
    return Remark("replicas", Grade.OK, said)


_RULES: Final[tuple[Callable[[ServerFacts], Remark], ...]] = (
    _version,
    _permissions,
    _role,
    _persistence,
    _memory,
    _replicas,
)


def promise_of(facts: ServerFacts) -> str:
    """Say in plain words through what this server keeps what Toolferry promises.

    >>> promise_of(ServerFacts(product="Valkey", version="9.1.0", appends=False)).split(". ")[1]
    'They do not hold when the server restarts, because it keeps nothing.'
    """
    return f"One result per call, and no effect twice, hold {' '.join(_clauses(facts))}"


def _clauses(facts: ServerFacts) -> Iterator[str]:
    if not facts.appends:
        yield "when any worker or dispatcher dies."
        yield "They do not hold when the server restarts, because it keeps nothing."
        return
    yield "when any worker, any dispatcher or the server's process dies."
    yield _HOST_DIES.get(facts.fsync or "", _HOST_DIES["no"])
    if facts.replicas:
        yield "A failover may lose what had not reached the replica."
    if facts.awaited_replicas:
        yield "No call that must not run twice starts before its claim has reached a replica."


_HOST_DIES: Final = {
    "always": "They hold as well when the server's host dies and its disk does not.",
    "everysec": "When the server's host dies, its last second may be lost.",
    "no": "When the server's host dies, what had not reached its disk may be lost.",
}


def _fsync_words(facts: ServerFacts) -> str:
    if facts.fsync is None:
        return "how soon they reach the disk, its user may not ask"
    return f"appendfsync {facts.fsync}"


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split(".") if part.isdigit())
