"""The desk of the result tools: results that were cut are read on, by those who may."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from tests.ledger.samples import Bench
from toolferry import (
    Answer,
    Context,
    Outcome,
    Registry,
    Severity,
    ToolError,
    ToolResult,
    Trim,
    lint,
    shape_whole,
    tool,
)
from toolferry.shaping import json_size
from toolferry_ledger import (
    Bell,
    Canceller,
    LedgerArchive,
    Purger,
    ResultDesk,
    Tenant,
    read_result,
    result_tools,
)
from toolferry_ledger.artifacts import PIECE, folded
from toolferry_ledger.result_desk import MAX_PAGE_TOKENS
from toolferry_policies import AttemptEnd

HOME: dict[str, Any] = {"context": Context(tenant="acme", principal="ann")}
TEXT = "".join(f"{number} 港口 👩‍👩‍👧 é\n" for number in range(2_000))


@tool(name="read_file", trim=Trim(max_tokens=50))
async def read_file(path: str) -> str:
    """Read a file."""
    return path


@pytest.fixture
def desk(bench: Bench) -> ResultDesk:
    """Give a desk."""
    return ResultDesk(LedgerArchive(bench.ledger, bench.signer), Registry(result_tools()))


def end_of(value: Any) -> AttemptEnd:
    """End an attempt as a worker does."""
    shaped = shape_whole(read_file, value)
    return AttemptEnd(
        outcome=Outcome.SUCCEEDED,
        content=shaped.answer.content,
        truncated=shaped.answer.truncated,
        next_cursor=shaped.answer.next_cursor,
        artifact=shaped.artifact,
    )


def run(bench: Bench, value: Any, turn_id: str = "t", **changes: Any) -> ToolResult:
    """Have a call succeed, and give its result; another one asks."""
    fields = {**HOME, **changes}
    bench.submit("asker", **fields)
    (claim,) = bench.claim(bench.submit(turn_id, tenant=fields["context"].tenant, **fields).rings)
    assert bench.finish(claim, end_of(value))
    return read_result(bench.ledger.results(turn_id, [0])[0])


def read_through(desk: ResultDesk, cursor: str | None, tokens: int) -> list[Answer]:
    """Read all pages from a cursor on."""
    pages = []
    while cursor is not None:
        pages.append(desk.read(cursor, tokens, "asker:0"))
        cursor = pages[-1].next_cursor
    return pages


@pytest.mark.parametrize("tokens", [16, 333, MAX_PAGE_TOKENS])
def test_the_pages_and_what_was_told_are_the_whole(
    bench: Bench, desk: ResultDesk, tokens: int
) -> None:
    """Each has as many tokens as were asked for at the most, and no half character."""
    result = run(bench, TEXT)

    pages = read_through(desk, result.next_cursor, tokens)

    assert result.content + "".join(page.content for page in pages) == TEXT
    assert all(read_file.trim.count(page.content) <= tokens for page in pages)
    assert [page.truncated for page in pages] == [True] * (len(pages) - 1) + [False]


def test_a_call_alone_is_the_beginning_of_its_result(bench: Bench, desk: ResultDesk) -> None:
    """So that a person can read it with the key of the call."""
    run(bench, TEXT)

    page = desk.read("t:0", 100, "asker:0")

    assert TEXT.startswith(page.content)
    assert page.source == f"read_file, characters 0 to {len(page.content)} of {len(TEXT):,}"


def test_data_is_read_as_its_json_text(bench: Bench, desk: ResultDesk) -> None:
    """The way it was cut."""
    result = run(bench, [{"name": f"row {number}"} for number in range(100)])

    pages = read_through(desk, result.next_cursor, 1_000)

    whole = result.content + "".join(page.content for page in pages)
    assert whole == str([{"name": f"row {n}"} for n in range(100)]).replace("'", '"').replace(
        ": ", ":"
    ).replace(", ", ",")


def test_a_cursor_behind_the_end_gives_nothing(bench: Bench, desk: ResultDesk) -> None:
    """And none to go on with."""
    run(bench, TEXT)

    assert desk.read("t:0@999999999", 16, "asker:0").content == ""
    assert desk.read("t:0@999999999", 16, "asker:0").next_cursor is None


def test_a_page_fits_the_limit_that_operators_set(bench: Bench, desk: ResultDesk) -> None:
    """So that no page is cut, and nothing is passed over."""
    bench.submit("asker", max_result_bytes=64, **HOME)
    result = run(bench, '"\n' * 500)

    pages = read_through(desk, result.next_cursor, 1_000)

    assert max(json_size(page.content) for page in pages) <= 64
    assert result.content + "".join(page.content for page in pages) == '"\n' * 500


def test_the_tokens_of_a_page_are_those_of_its_tool(bench: Bench) -> None:
    """As far as this process knows the tool."""
    words = replace(read_file, trim=Trim(max_tokens=50, count=lambda text: len(text.split())))
    desk = ResultDesk(LedgerArchive(bench.ledger, bench.signer), Registry([words, *result_tools()]))
    run(bench, "one two " * 1_000)

    assert desk.read("t:0", 16, "asker:0").content.split() == ["one", "two"] * 8


def test_a_result_that_was_not_cut_is_kept_once(bench: Bench, desk: ResultDesk) -> None:
    """It has no artifact, and its record has no field for one."""
    result = run(bench, "short")

    assert result.next_cursor is None
    record = f"{bench.ledger.settings.key_prefix}call:t:0"
    assert not bench.ledger.client.hexists(record, "artifact")
    with pytest.raises(ToolError, match="no_such_result"):
        desk.read("t:0", 16, "asker:0")


def test_a_tools_own_cursor_stays(bench: Bench, desk: ResultDesk) -> None:
    """Its next call needs it; the whole of this one is kept all the same."""
    result = run(bench, Answer(content=TEXT, next_cursor="page-2"))

    assert result.next_cursor == "page-2"
    assert TEXT.startswith(desk.read("t:0", 100, "asker:0").content)


def test_a_search_finds_every_place(bench: Bench, desk: ResultDesk) -> None:
    """Large and small letters alike; each match has a cursor, from which it can be read on."""
    text = ("x" * 40_000).join(["Alpha", "ALPHA", "alpha", "end"])
    run(bench, text)

    first = desk.search("t:0", "aLPha", 2, 2, "asker:0")
    second = desk.search(first.next_cursor or "", "alpha", 2, 2, "asker:0")

    assert first.content == [
        {"cursor": "t:0@0", "text": "Alphaxx"},
        {"cursor": "t:0@40003", "text": "xxALPHAxx"},
    ]
    assert first.truncated
    assert [one["text"] for one in second.content] == ["xxalphaxx"]
    assert (second.truncated, second.next_cursor) == (False, None)
    assert desk.read("t:0@40003", 16, "asker:0").content.startswith("xxALPHA")


@pytest.mark.parametrize("at", [-2, -1, 0, 1])
def test_what_lies_across_two_pieces_is_found(bench: Bench, desk: ResultDesk, at: int) -> None:
    """A long result is looked through a piece at a time."""
    run(bench, "x" * (PIECE + at) + "dock" + "x" * PIECE)

    [match] = desk.search("t:0", "dock", 0, 9, "asker:0").content

    assert match["cursor"] == f"t:0@{PIECE + at}"


def test_no_letter_changes_its_place_when_it_is_made_small() -> None:
    """So that a place in the one text is the same place in the other."""
    every = "".join(chr(code) for code in range(sys.maxunicode + 1))

    assert len(folded(every)) == len(every)


@pytest.mark.parametrize("place", ["t", "t:0@", "t:0@1\n", "t:0@-1", ":0", "t:x", "港:0@٣"])
def test_what_is_no_cursor_is_no_result(bench: Bench, desk: ResultDesk, place: str) -> None:
    """The same sentence."""
    run(bench, TEXT)

    with pytest.raises(ToolError, match="no_such_result"):
        desk.read(place, 16, "asker:0")


def test_a_search_looks_for_text_and_for_no_pattern(bench: Bench, desk: ResultDesk) -> None:
    """What would keep an engine of patterns busy for ever is found, or not, in one walk."""
    run(bench, "a" * 1_000_000 + "(a+)+$ 港口")

    found = [desk.search("t:0", wanted, 0, 1, "asker:0").content for wanted in ("(A+)+$", "港")]

    assert [match["text"] for [match] in found] == ["(a+)+$", "港"]
    assert desk.search("t:0", "a" * 199 + "b", 0, 1, "asker:0").content == []


def test_what_a_search_gives_has_a_limit(bench: Bench, desk: ResultDesk) -> None:
    """The rest is found from its cursor on."""
    run(bench, "港口 " * 100_000)

    answer = desk.search("t:0", "港", 500, 50, "asker:0")

    assert 0 < len(answer.content) < 50
    assert answer.next_cursor is not None


@pytest.mark.parametrize(
    "other",
    [
        {"context": Context(tenant="other", principal="ann")},
        {"context": Context(tenant="acme", principal="bob")},
    ],
)
def test_nobody_else_learns_that_there_is_a_result(
    bench: Bench, desk: ResultDesk, other: dict[str, Any]
) -> None:
    """They hear the same as of one that was never made."""
    bench.submit("stranger", **other)
    run(bench, TEXT)

    acts: tuple[Callable[[str], Answer], ...] = (
        lambda place: desk.read(place, 16, "stranger:0"),
        lambda place: desk.search(place, "1", 0, 1, "stranger:0"),
    )
    for act in acts:
        with pytest.raises(ToolError) as refused:
            act("t:0")
        with pytest.raises(ToolError) as unknown:
            act("n:0")
        assert str(refused.value) == str(unknown.value).replace("n:0", "t:0")


def test_who_has_no_name_reads_in_one_conversation(bench: Bench, desk: ResultDesk) -> None:
    """Whoever is anonymous may be anybody."""
    bench.submit("stranger", context=Context(), conversation_id="another")
    run(bench, TEXT, context=Context(), conversation_id="chat")

    assert desk.read("t:0", 16, "asker:0").content
    with pytest.raises(ToolError, match="no_such_result"):
        desk.read("t:0", 16, "stranger:0")


@pytest.mark.parametrize("field", ["spec", "sig"])
def test_a_record_that_somebody_wrote_into_the_server_opens_nothing(
    bench: Bench, desk: ResultDesk, field: str
) -> None:
    """Whose result it is, only a signed record says."""
    run(bench, TEXT)
    bench.ledger.client.hset(f"{bench.ledger.settings.key_prefix}call:t:0", field, "forged")

    with pytest.raises(ToolError, match="no_such_result"):
        desk.read("t:0", 16, "asker:0")


def test_a_purge_erases_it_with_its_call(bench: Bench, desk: ResultDesk) -> None:
    """It is a field of the call's record."""
    run(bench, "secret-mark " * 1_000)
    settings = bench.ledger.settings
    purger = Purger(bench.ledger, Canceller(bench.ledger, Bell(settings), bench.signer))

    purger.purge(Tenant("acme"))

    assert list(bench.ledger.client.scan_iter(match=f"{settings.key_prefix}call:t:0")) == []
    with pytest.raises(ToolError, match="no_such_result"):
        desk.read("t:0", 16, "asker:0")


def test_it_ends_with_its_call(bench: Bench) -> None:
    """The record that holds it has a time to live."""
    run(bench, TEXT)

    assert bench.ledger.client.pttl(f"{bench.ledger.settings.key_prefix}call:t:0") > 0


def test_a_late_owner_leaves_no_artifact(bench: Bench, desk: ResultDesk) -> None:
    """Its result was not taken, and neither is what it was cut from."""
    bench.submit("asker", **HOME)
    (claim,) = bench.claim(bench.submit("t", **HOME).rings)
    assert bench.finish(claim)

    assert not bench.finish(claim, end_of(TEXT))

    with pytest.raises(ToolError, match="no_such_result"):
        desk.read("t:0", 16, "asker:0")


def test_the_linter_has_nothing_to_say_of_the_result_tools() -> None:
    """They are read by models like any other."""
    assert [one for one in lint(result_tools()) if one.severity is not Severity.ADVICE] == []
