"""The page on conversations: its examples run as they stand, with a worker by hand."""

from __future__ import annotations

import doctest
import json
from pathlib import Path
from typing import Any

from structlog.testing import capture_logs

from tests.dispatcher.hand_worker import HandWorker
from tests.dispatcher.samples import response
from tests.dispatcher.talks import OSLO, PAY, says, talk_tools
from toolferry_dispatcher import Approver, Dispatcher
from toolferry_dispatcher.conversation import EndReason, Tries
from toolferry_ledger import Settings

PAGE = Path(__file__).parents[2] / "docs" / "conversation.md"
TEXT = PAGE.read_text(encoding="utf-8")


def model(messages: list[dict[str, Any]], _tools: list[Any]) -> Any:
    """Look up or pay, and then say so."""
    is_about_pay = "Pay" in messages[0]["content"]
    if len(messages) > 1:
        return says("It is paid." if is_about_pay else "It is 8 degrees in Oslo.")
    return response(PAY if is_about_pay else OSLO)


class ByHand(Dispatcher):
    """A dispatcher whose calls end as soon as they are sent."""

    worker: HandWorker

    def dispatch(self, *given: Any, **options: Any) -> Any:
        """Dispatch, and end what may run."""
        turn = super().dispatch(*given, **options)
        self.worker.succeed(*self.worker.take())
        return turn

    def attach(self, turn_id: str) -> Any:
        """Attach, and end what may run by now."""
        self.worker.succeed(*self.worker.take())
        return super().attach(turn_id)


def test_the_examples_run_as_they_stand(settings: Settings) -> None:
    """A conversation, its events, and a pause for a person."""
    worker = HandWorker(settings)
    with ByHand(talk_tools(), settings) as dispatcher, capture_logs():
        dispatcher.worker = worker
        names = {
            "dispatcher": dispatcher,
            "model": model,
            "Approver": Approver,
            "json": json,
        }
        done = doctest.testfile(str(PAGE), module_relative=False, globs=names, encoding="utf-8")
    worker.close()

    assert done.attempted > 5
    assert done.failed == 0


def test_the_page_tells_the_numbers_and_reasons_of_the_code() -> None:
    """All reasons, and how often a model is asked again."""
    tries = ", ".join(f"{name}={getattr(Tries(), name)}" for name in Tries.__slots__)

    assert all(f"`{reason.value}`" in TEXT for reason in EndReason)
    assert f"Tries({tries})" in TEXT.replace("\n", " ")
