"""Results that were cut are read on by the result tools, on real workers."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from typing import Any

import pytest

from tests.dispatcher.samples import response
from tests.worker import tools_results
from tests.worker.running import RunningWorker, Start
from toolferry import Context, Lane, Registry, ToolCall, ToolResult
from toolferry_dispatcher import Dispatcher, result_tools
from toolferry_ledger import Ledger, Settings, read_artifact

TOKEN = "t0ken-4711"  # noqa: S105 -- a sample
PASSWORD = "hunter2-0815"  # noqa: S105 -- a sample
ANN = Context(tenant="acme", principal="ann", secrets={"token": TOKEN})
WHOLE = "".join(tools_results.LINES)


def dispatcher_of(settings: Settings) -> Dispatcher:
    """Give a dispatcher that offers the result tools."""
    registry = Registry.from_module(tools_results)
    registry.register_all(result_tools())
    return Dispatcher(registry, settings)


@pytest.fixture
def dispatcher(system: Settings, lanes: dict[Lane, RunningWorker]) -> Iterator[Dispatcher]:
    """Give a dispatcher whose calls the pair of workers runs."""
    for worker in lanes.values():
        worker.ready()
    with dispatcher_of(system) as dispatcher:
        yield dispatcher


def ask(
    dispatcher: Dispatcher, name: str, context: Context = ANN, **arguments: Any
) -> tuple[ToolResult, str]:
    """Have a tool called; give its result, and the key of the call."""
    turn = dispatcher.dispatch([ToolCall("c", name, arguments)], context=context)
    (result,) = turn.gather(30)
    return result, f"{turn.turn_id}:0"


def read_through(dispatcher: Dispatcher, cursor: str | None) -> str:
    """Read to the end."""
    text = ""
    while cursor is not None:
        page, _ = ask(dispatcher, "result.read", cursor=cursor, limit=1_500)
        text, cursor = text + page.content, page.next_cursor
    return text


def test_a_result_is_read_to_its_end(dispatcher: Dispatcher) -> None:
    """Also from the middle that was left out."""
    log, _ = ask(dispatcher, "read_log")
    report, _ = ask(dispatcher, "read_report")

    assert log.content + read_through(dispatcher, log.next_cursor) == WHOLE
    head, _, tail = report.content.partition("\n[… ")
    assert head + read_through(dispatcher, report.next_cursor) == WHOLE
    assert WHOLE.endswith(tail.partition("…]\n")[2])


def test_a_result_is_searched(dispatcher: Dispatcher) -> None:
    """From its first character on."""
    _, key = ask(dispatcher, "read_log")

    found, _ = ask(dispatcher, "result.search", cursor=key, text="499: 码头", around=2)

    assert [one["text"] for one in found.content] == ["\U0001f467\n499: 码头 d"]


def test_no_secret_is_kept(dispatcher: Dispatcher, system: Settings) -> None:
    """What was taken out of a result is not in its whole; what reveals secrets is kept nowhere."""
    mail, mail_key = ask(dispatcher, "read_mail", password=PASSWORD)
    keys, keys_key = ask(dispatcher, "read_keys")
    with closing(Ledger(system)) as ledger:
        kept = [read_artifact(ledger, key) for key in (mail_key, keys_key)]

    assert kept == [f"{WHOLE}[redacted][redacted]", None]
    assert mail.content + read_through(dispatcher, mail.next_cursor) == kept[0]
    assert (keys.truncated, keys.next_cursor) == (True, None)


def test_nobody_else_reads_it(dispatcher: Dispatcher) -> None:
    """They are told that there is nothing."""
    _, key = ask(dispatcher, "read_log")

    refused, _ = ask(dispatcher, "result.read", Context(tenant="acme"), cursor=key)

    assert refused.error is not None
    assert refused.error.code == "no_such_result"


@pytest.mark.slow
def test_it_outlives_the_worker_that_ran_the_call(settings: Settings, start: Start) -> None:
    """Another worker reads on."""
    victim = start(Lane.ASYNC)
    with dispatcher_of(settings) as dispatcher:
        log, _ = ask(dispatcher, "read_log")
        victim.kill()
        start(Lane.ASYNC)

        assert log.content + read_through(dispatcher, log.next_cursor) == WHOLE


def test_a_model_reads_on_by_the_names_that_it_is_shown(dispatcher: Dispatcher) -> None:
    """Their dots are no part of a name on the wire."""
    log, _ = ask(dispatcher, "read_log")
    names = [one["function"]["name"] for one in dispatcher.schemas()]
    wire = next(name for name in names if name.startswith("result_read"))

    turn = dispatcher.dispatch(response((wire, {"cursor": log.next_cursor})), context=ANN)

    [page] = turn.gather(30)
    assert WHOLE.startswith(log.content + page.content)


def test_the_result_tools_are_offered_only_where_the_application_says_so(
    dispatcher: Dispatcher, system: Settings
) -> None:
    """They are there all the same, for whoever does."""
    with Dispatcher.from_ledger(system) as plain:
        assert not any(name.startswith("result.") for name in plain.registry.names())
        assert plain.check() == []
    assert dispatcher.check() == []
