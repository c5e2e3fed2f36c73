"""The corpus sample, all the way: real responses, real server, real workers."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.providers.corpus import Corpus
from tests.whole import corpus_tools
from tests.worker.running import RunningWorker
from toolferry import Lane, Outcome
from toolferry_dispatcher import Dispatcher
from toolferry_ledger import Settings


@pytest.fixture
def dispatcher(settings: Settings) -> Iterator[Dispatcher]:
    """Give a dispatcher with one async worker that knows the corpus's tools."""
    worker = RunningWorker(settings, Lane.ASYNC, tools=corpus_tools.__name__).ready()
    with Dispatcher(corpus_tools.registry, settings) as dispatcher:
        yield dispatcher
    worker.stop()


def test_every_call_of_real_responses_is_answered_once_and_in_order(
    dispatcher: Dispatcher,
) -> None:
    """Recorded bodies and published turns come back whole; what is invalid gets its error."""
    corpus = Corpus()
    rows = [*corpus.responses, *corpus.turns]
    turns = [dispatcher.dispatch(row.response) for row in rows]

    for row, turn in zip(rows, turns, strict=True):
        wanted = [call.call_id for call in row.calls]
        results = turn.gather(timeout=30)
        answered = [m["tool_call_id"] for m in turn.messages() if m["role"] == "tool"]
        assert [result.call_id for result in results] == wanted, row.name
        assert answered == wanted, row.name
        assert all(r.outcome is Outcome.SUCCEEDED for r in results) is row.valid, row.name
