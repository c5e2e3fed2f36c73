"""The readable report: what each call of a turn came to, as people read it. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from textwrap import indent

from toolferry import ToolResult, view_of
from toolferry.legible import one_line
from toolferry.phrases import Phrases
from toolferry_console.report import Report
from toolferry_console.tables import MAX_CALL_ID, tally


def result_lines(
    results: Sequence[ToolResult], displays: Mapping[str, str], phrases: Phrases
) -> Iterator[str]:
    """Say what each call came to: its view or its error; views of several lines follow indented.

    Args:
        results: The calls that have ended.
        displays: What a call was about, by its id.
        phrases: The language.
    """
    for result in results:
        view = view_of(result, phrases.language)
        is_line = "\n" not in view
        display, call_id = displays[result.call_id], one_line(result.call_id, MAX_CALL_ID)
        said = view if is_line else ""
        yield phrases.say("about", display=display, call_id=call_id, said=said).rstrip()
        if not is_line:
            yield indent(view, "  ")


def summary_line(report: Report, phrases: Phrases) -> str:
    """Say in one line what became of the turn."""
    said = (phrases.word("turn", report.state), tally(report.results, phrases))
    return phrases.say("summary", turn_id=report.turn_id, said=phrases.join(said))
