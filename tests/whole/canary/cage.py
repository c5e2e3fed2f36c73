"""Tools whose handlers do with their secrets whatever a handler may do wrong."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import sys
import threading
from base64 import b64encode
from collections.abc import Callable
from contextlib import closing
from typing import Annotated, Any
from urllib.parse import quote

import structlog
from pydantic import BaseModel, Field

from tests.waiting import wait_until
from toolferry import (
    Answer,
    CancelCall,
    Effect,
    EffectClass,
    ErrorCode,
    RetryCall,
    RetryPolicy,
    ToolContext,
    ToolError,
    Verified,
    tool,
)
from toolferry_ledger import Ledger, load_settings
from toolferry_policies import Deny, Facts, Modify, Permit, Verdict

Password = Annotated[str, Field(json_schema_extra={"writeOnly": True})]
Pin = Annotated[int, Field(json_schema_extra={"writeOnly": True})]


#: Fails twice in a row, and soon.
HASTY = RetryPolicy(max_attempts=2, base=0.01)


class Login(BaseModel):
    """Who logs in."""

    user: str
    password: Password


Said = dict[str, Any]


def told(password: str, pin: int, login: Login, ctx: ToolContext) -> Said:
    """Say all secrets in one piece, in all forms."""
    birds = [password, login.password, ctx.identity.secrets["key"]]
    return {
        "plain": birds,
        "pin": pin,
        "json": json.dumps(birds),
        "url": "&".join(map(quote, birds)),
        "python": repr(birds),
        "basic": [b64encode(f"user:{bird}".encode()).decode() for bird in birds],
        birds[0]: "as a name",
    }


def answer(said: Said, _ctx: ToolContext) -> Any:
    """Return them, with marks."""
    return Answer(content=said, source=said["json"], next_cursor=said["url"])


def overflow(said: Said, _ctx: ToolContext) -> Any:
    """Return them where a result is cut, and behind: all of it is kept."""
    limit = 64 * 1024 - len('{"text":"') - 4
    return {"text": "x" * limit + said["plain"][0], **said}


def shout(said: Said, _ctx: ToolContext) -> Any:
    """Raise them with what is not for models."""
    raise ValueError(json.dumps(said), said)


def complain(said: Said, _ctx: ToolContext) -> Any:
    """Raise them with a word to the model, across the end of what is kept."""
    text = "; ".join([*said["plain"], said["url"], str(said["pin"])])
    filler = "x" * (1_990 - len(text))
    raise ToolError(said["plain"][0], text + filler + said["plain"][2], suggestion=text)


def again(said: Said, ctx: ToolContext) -> Any:
    """Keep them, ask for another attempt, and tell what was kept."""
    if ctx.attempt == 1:
        ctx.checkpoint(said)
        raise RetryCall(0.01, reason=json.dumps(said), effect=Effect.NONE)
    return {"kept": ctx.restored, "same": ctx.restored == said}


def give_up(said: Said, _ctx: ToolContext) -> Any:
    """Cancel the call with them."""
    raise CancelCall(json.dumps(said))


def chatter(said: Said, ctx: ToolContext) -> Any:
    """Print, log and report them, from a thread too."""
    text = json.dumps(said)
    sys.stdout.write(text)
    sys.stderr.write(said["plain"][0])
    sys.stdout.write("x" * (64 * 1024 - 8 - len(text) - len(said["plain"][0])) + said["plain"][0])
    structlog.get_logger().error(text, more=said)
    logging.getLogger("canary").error(text)
    thread = threading.Thread(target=lambda: logging.getLogger("canary").error("%s", said))
    thread.start()
    thread.join()
    ctx.progress(0.5, text)
    ctx.progress(0.6, said["plain"][2])
    failing = threading.Thread(target=shout, args=(said, ctx))
    failing.start()
    failing.join()


def die(said: Said, ctx: ToolContext) -> Any:
    """Keep them and end the process."""
    ctx.progress(0.5, json.dumps(said))
    ctx.checkpoint(said)
    wait_until(lambda: _has_progress(ctx.call_key), "the progress in the ledger")
    os._exit(3)


def _has_progress(call_key: str) -> bool:
    """Tell whether what a handler has said of its progress is with its record."""
    settings = load_settings()
    with closing(Ledger(settings)) as ledger:
        return bool(ledger.client.hexists(f"{settings.key_prefix}call:{call_key}", "progress"))


DEEDS: dict[str, Callable[[Said, ToolContext], Any]] = {
    deed.__name__: deed
    for deed in (answer, overflow, shout, complain, again, give_up, chatter, die)
}


def no_deed(facts: Facts) -> Verdict:
    """Deny, change and break with the secrets."""
    arguments = facts.call.arguments
    match arguments["deed"]:
        case "denied":
            return Deny(ErrorCode.DENIED, f"not with {arguments['password']}")
        case "changed":
            return Modify({**arguments, "deed": "answer"}, f"{arguments['password']} stays.")
        case "broken":
            raise ValueError(arguments)
        case _:
            return Permit()


@tool(
    rules=[no_deed],
    timeout=1.5,
    retry=HASTY,
    resource="account:{password}",
    render_result=str,
    display="{deed} {password}",
)
def act(deed: str, password: Password, pin: Pin, login: Login, ctx: ToolContext) -> Any:
    """Do something in the process lane."""
    said = told(password, pin, login, ctx)
    if deed == "hang":
        sys.stdout.write(str(said))
        ctx.progress(0.1, str(said))
        threading.Event().wait(60)  # nobody sets it: it hangs until its limit
    return DEEDS[deed](said, ctx)


@tool(timeout=1.5, retry=HASTY, rules=[no_deed], render_result=str, display="{deed} {password}")
async def act_in_loop(
    deed: str, password: Password, pin: Pin, login: Login, ctx: ToolContext
) -> Any:
    """Do something in the async lane."""
    said = told(password, pin, login, ctx)
    if deed == "hang":
        sys.stdout.write(str(said))
        ctx.progress(0.1, str(said))
        await asyncio.sleep(60)
    return DEEDS[deed](said, ctx)


async def looked_up(password: Password, ctx: ToolContext) -> Verified:
    """Find out what was done, and tell with what."""
    return Verified(Effect.COMMITTED, {"with": password, "key": ctx.secret("key")})


@tool(effect=EffectClass.WRITE, timeout=1.5, retry=HASTY, verify=looked_up, render_result=str)
async def pay(deed: str, password: Password, pin: Pin, login: Login, ctx: ToolContext) -> Any:
    """Do something that must not happen twice."""
    return DEEDS[deed](told(password, pin, login, ctx), ctx)


@tool(confirm=True, effect=EffectClass.WRITE, display="Log in {login} with {password}")
async def gated(deed: str, password: Password, pin: Pin, login: Login, ctx: ToolContext) -> Any:
    """Do something once a person has said so."""
    return DEEDS[deed](told(password, pin, login, ctx), ctx)


@tool(reveals=True)
async def reveal(ctx: ToolContext) -> str:
    """Give a secret that the model is to have."""
    return ctx.secret("revealed")
