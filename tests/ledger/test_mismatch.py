"""Mismatches: found between one's own tools and the offers of others, and told in the log."""

from __future__ import annotations

from typing import Any

from structlog.testing import capture_logs

from toolferry import Lane, Tool
from toolferry_ledger import (
    LiveOffer,
    Mismatch,
    Offers,
    find_mismatches,
    find_unserved,
    tell_mismatches,
)


def tool_of(name: str, **fields: Any) -> Tool:
    """Give a definition of the async lane."""
    return Tool(**{"name": name, "lane": Lane.ASYNC, **fields})


OLD, NEW, OTHER = tool_of("look_up"), tool_of("look_up", version="2"), tool_of("send_mail")


def offer_of(owner: str, *tools: Tool) -> LiveOffer:
    """Give the offer of a live worker."""
    return LiveOffer(
        owner=owner,
        lane=Lane.ASYNC,
        queues=("default",),
        since=0.0,
        lease_seconds=6.0,
        definitions="".join(tool.digest for tool in tools),
        tools={tool.name: tool for tool in tools},
    )


OFFERS = Offers([offer_of("w1", OLD, OTHER), offer_of("w2", OLD), offer_of("w3", NEW)])


def test_two_workers_with_the_same_tool_and_different_schemas_are_named() -> None:
    """One line for each tool and digest, with a worker that has it."""
    found = find_mismatches([NEW, OTHER], OFFERS.but_of("w3"))
    with capture_logs() as logs:
        tell_mismatches(found)

    assert found == [Mismatch("look_up", NEW.digest, OLD.digest, ("w1", "w2"))]
    (line,) = logs
    told = [line[key] for key in ("event", "tool", "digest", "offered", "worker", "workers")]
    assert told == ["catalog.mismatch", "look_up", NEW.digest, OLD.digest, "w1", 2]


def test_workers_that_agree_are_no_mismatch() -> None:
    """And a tool that only this process has is none either."""
    assert find_mismatches([OTHER, tool_of("third")], OFFERS) == []


def test_a_tool_that_nobody_offers_is_named_where_somebody_takes_its_calls() -> None:
    """A pool without any worker says nothing about its tools, nor does what is declared."""
    elsewhere, slow = tool_of("elsewhere", queue="gpu"), Tool(name="slow", lane=Lane.PROCESS)
    third, declared = tool_of("third"), tool_of("declared")
    offers = Offers(OFFERS.live, {"declared": declared})

    found = find_unserved([OTHER, third, declared, elsewhere, slow], offers)

    assert found == [Mismatch("third", third.digest, None)]


def test_of_a_thousand_mismatches_the_log_names_fifty() -> None:
    """When a whole release differs, more lines would say no more."""
    with capture_logs() as logs:
        tell_mismatches([Mismatch(f"t{number}", "a", "b", ("w",)) for number in range(1000)])

    assert len(logs) == 51
    assert logs[-1]["untold"] == 950
