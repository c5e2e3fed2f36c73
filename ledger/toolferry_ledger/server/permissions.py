"""Which commands a system needs, and which of them the server forbids to its user."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final

import redis
from redis.exceptions import NoPermissionError

#: Every command that scripts and clients send, with arguments of its form. The server is only asked
#: whether they would be allowed: nothing of this is carried out.
_NEEDED: Final = """
SCRIPT LOAD x
PING
TIME
INFO
MULTI
EXEC
SCAN 0
WAIT 1 1
"""
#: The same for the keys of the system.
_NEEDED_OF_KEYS: Final = """
EVAL x 1 {key}
EVALSHA 0 1 {key}
DEL {key}
EXISTS {key}
EXPIRE {key} 1
PEXPIRE {key} 1
PTTL {key}
GET {key}
SET {key} x
MGET {key}
INCRBY {key} 1
HDEL {key} x
HEXISTS {key} x
HGET {key} x
HGETALL {key}
HINCRBY {key} x 1
HKEYS {key}
HLEN {key}
HMGET {key} x
HSET {key} x x
HSETNX {key} x x
LLEN {key}
LPOP {key}
BLMPOP 1 1 {key} LEFT
LPUSH {key} x
LRANGE {key} 0 1
LREM {key} 0 x
LTRIM {key} 0 1
RPUSH {key} x
SADD {key} x
SCARD {key}
SISMEMBER {key} x
SMEMBERS {key}
SRANDMEMBER {key} 1
SREM {key} x
ZADD {key} 1 x
ZCARD {key}
ZRANGE {key} 0 1
ZRANGEBYSCORE {key} 0 1
ZREM {key} x
ZREMRANGEBYSCORE {key} 0 1
ZSCORE {key} x
XADD {key} * x x
XDEL {key} 0-1
XRANGE {key} - +
XREVRANGE {key} + -
XREAD STREAMS {key} 0
"""
#: And for its queues, where they are in this server.
_NEEDED_OF_QUEUES: Final = """
LLEN {queue}
LPUSH {queue} x
RPUSH {queue} x
BRPOP {queue} 1
"""
#: Asks about one command after the other; a command that the server does not have is an error.
_ASK: Final = """
local forbidden = {}
if not redis.acl_check_cmd then return forbidden end
for _, sample in ipairs(ARGV) do
  local words = {}
  for word in string.gmatch(sample, '%S+') do words[#words + 1] = word end
  local known, allowed = pcall(redis.acl_check_cmd, unpack(words))
  if not known or allowed ~= true then forbidden[#forbidden + 1] = sample end
end
return forbidden
"""


def find_forbidden(client: redis.Redis, key_prefix: str, queue_prefix: str) -> tuple[str, ...]:
    """Find what a server's user may not use: commands by name, or all keys or queues of the system.

    Args:
        client: Of the server. Older than Redis 7.0, it cannot tell, and nothing is found.
        key_prefix: What the keys of the system start with.
        queue_prefix: What the names of its queues start with; empty when they are elsewhere.
    """
    groups = _groups(key_prefix, queue_prefix)
    asked = [sample for samples in groups.values() for sample in samples]
    try:
        found = client.register_script(_ASK)(args=asked)
    except NoPermissionError:
        return ("EVALSHA or SCRIPT LOAD",)
    denied = {sample.decode() for sample in found}
    told = (_told(name, samples, denied) for name, samples in groups.items())
    return tuple(dict.fromkeys(word for words in told for word in words))


def needed_commands() -> frozenset[str]:
    """Give the names of all commands that are sent."""
    return frozenset(
        sample.split()[0] for samples in _groups("k", "q").values() for sample in samples
    )


def acl_line(user: str, key_prefix: str, queue_prefix: str) -> str:
    """Write a line of an ACL file for a user that may do what is needed for one system, no more.

    Args:
        user: Its name; its password is to be put in place of PASSWORD.
        key_prefix: As above.
        queue_prefix: As above, not empty.
    """
    keys = f"~{key_prefix}* ~{queue_prefix}*"
    names = sorted(name.lower() for name in needed_commands() - {"SCRIPT"})
    granted = " ".join(f"+{name}" for name in [*names, "script|load", "select"])
    return f"user {user} on >PASSWORD {keys} resetchannels -@all {granted}"


def _groups(key_prefix: str, queue_prefix: str) -> dict[str, list[str]]:
    """List every command as it is sent, by what it touches; in words, empty for nothing."""
    groups = {
        "": _lines(_NEEDED),
        f"the keys {key_prefix}*": _lines(_NEEDED_OF_KEYS, key=f"{key_prefix}probe"),
    }
    if queue_prefix:
        queues = _lines(_NEEDED_OF_QUEUES, queue=f"{queue_prefix}probe")
        groups[f"the queues {queue_prefix}*"] = queues
    return groups


def _lines(samples: str, **names: str) -> list[str]:
    return [line.format(**names) for line in samples.strip().splitlines()]


def _told(group: str, samples: Sequence[str], denied: Collection[str]) -> list[str]:
    """Say what of a group is denied: the thing itself, when every command on it is."""
    found = [_name(sample) for sample in samples if sample in denied]
    return [group] if group and len(found) == len(samples) else found


def _name(sample: str) -> str:
    words = sample.split()
    return " ".join(words[:2]) if words[0] == "SCRIPT" else words[0]
