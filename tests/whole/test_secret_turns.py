"""Turns with secrets: dispatched again, attached to, and their keys exchanged meanwhile."""

from __future__ import annotations

from dataclasses import replace
from hashlib import sha256
from typing import Annotated, Any

import pytest
import redis
from pydantic import Field

from tests.dispatcher.samples import response
from toolferry import Concurrency, Context, EffectClass, Registry, tool
from toolferry_dispatcher import Dispatcher, TurnConflict
from toolferry_ledger import Settings, Untrusted

PASSWORD = "Hunter22"  # noqa: S105 -- a sample
NEW = b"a new key of thirty-two bytes now"


@tool(
    effect=EffectClass.WRITE,
    resource="account:{password}",
    concurrency=Concurrency(2, "of:{password}"),
)
async def log_in(password: Annotated[str, Field(json_schema_extra={"writeOnly": True})]) -> None:
    """Log in."""
    assert password


@tool(effect=EffectClass.WRITE, resource="{site}:{password}")
async def log_in_at(
    site: str, password: Annotated[str, Field(json_schema_extra={"writeOnly": True})]
) -> None:
    """Log in somewhere."""


TOOLS = Registry([log_in, log_in_at])
WANTED = response(("log_in", {"password": PASSWORD}), content=f"I log in with {PASSWORD}.")


def written(client: redis.Redis, settings: Settings) -> str:
    """Give all that is written of a turn and its calls, names of keys included."""
    keys: list[Any] = sorted(client.scan_iter(match=f"{settings.key_prefix}*"))
    hashes = [client.hgetall(key) for key in keys if client.type(key) == "hash"]
    return f"{keys} {hashes}"


def test_nothing_of_a_turn_tells_its_secrets(settings: Settings, client: redis.Redis) -> None:
    """Not the model's message, a resource, a limit, nor a digest from which one could guess."""
    with Dispatcher(TOOLS, settings) as dispatcher:
        dispatcher.dispatch(WANTED, turn_id="t")

    text = written(client, settings)
    guess = sha256(b'[["call_0", "log_in", {"password": "Hunter22"}]]').hexdigest()
    assert "log_in" in text
    assert PASSWORD not in text
    assert guess not in text


def test_nothing_of_a_turn_tells_a_secret_that_is_longer_than_a_name(
    settings: Settings, client: redis.Redis
) -> None:
    """A name is cut to size, and would show the beginning of it."""
    token = "".join(f"{number:03}" for number in range(100))
    with Dispatcher(TOOLS, settings) as dispatcher:
        dispatcher.dispatch(response(("log_in", {"password": token})), turn_id="t")

    assert token[:30] not in written(client, settings)


def test_nothing_of_a_turn_lets_one_guess_a_secret_at_the_end_of_a_long_name(
    settings: Settings, client: redis.Redis
) -> None:
    """Of what is cut off a plain digest is kept, but not where a secret is in it."""
    site = "s" * 300
    with Dispatcher(TOOLS, settings) as dispatcher:
        wanted = {"site": site, "password": PASSWORD}
        dispatcher.dispatch(response(("log_in_at", wanted)), turn_id="t")

    text = written(client, settings)
    assert "log_in_at" in text
    assert sha256(f"{site}:{PASSWORD}".encode()).hexdigest() not in text


def test_any_process_gets_the_model_s_message_back(settings: Settings) -> None:
    """As it was."""
    with Dispatcher(TOOLS, settings) as one, Dispatcher(TOOLS, settings) as other:
        one.dispatch(WANTED, turn_id="t")

        assert other.attach("t").text == f"I log in with {PASSWORD}."


def test_the_same_turn_is_attached_to_also_by_who_has_another_key_first(settings: Settings) -> None:
    """And another password is another turn."""
    newer = replace(settings, secret=NEW + b"," + settings.secret)
    newer_other = response(("log_in", {"password": "Hunter23"}))
    with Dispatcher(TOOLS, settings) as old, Dispatcher(TOOLS, newer) as new:
        old.dispatch(WANTED, turn_id="t")

        assert new.dispatch(WANTED, turn_id="t").text == f"I log in with {PASSWORD}."
        with pytest.raises(TurnConflict):
            new.dispatch(newer_other, turn_id="t")


def test_a_turn_with_fresh_credentials_is_the_same_turn(settings: Settings) -> None:
    """They are no part of what is asked for."""
    with Dispatcher(TOOLS, settings) as dispatcher:
        for key in ("k-1111", "k-2222"):
            turn = dispatcher.dispatch(WANTED, turn_id="t", context=Context(secrets={"key": key}))

        assert turn.turn_id == "t"


def test_a_dispatcher_that_lacks_the_key_does_not_show_what_it_cannot_open(
    settings: Settings,
) -> None:
    """It says that it cannot be trusted."""
    with Dispatcher(TOOLS, settings) as one:
        one.dispatch(WANTED, turn_id="t")
    foreign = replace(settings, secret=NEW)
    with Dispatcher(TOOLS, foreign) as other, pytest.raises(Untrusted, match="not sealed for it"):
        other.attach("t")


def test_json_of_a_turn_without_secrets_is_as_ever(settings: Settings, client: redis.Redis) -> None:
    """No sealed part, and the message in plain."""

    @tool
    async def look() -> None:
        """Look."""

    with Dispatcher(Registry([look]), settings) as dispatcher:
        dispatcher.dispatch(response(("look", {})), turn_id="t")

    meta: Any = client.hget(f"{settings.key_prefix}turn:t", "meta")
    assert '"message":{"role":"assistant"' in meta
    assert "sealed" not in meta
