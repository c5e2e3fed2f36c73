"""What a docstring tells about a tool."""

from __future__ import annotations

import pytest

from toolferry.docstring import read_docstring

FULL = """Search the mail
    of the signed-in user.

    Cannot search attachments.

    Args:
        query: What to look for; words
            are joined by AND.
        limit (int): How many: 1 to 50.
        *rest: Ignored.

    Returns:
        ids: The ids.
    """


def test_the_first_paragraph_is_the_summary() -> None:
    """Its lines are joined."""
    assert read_docstring(FULL).summary == "Search the mail of the signed-in user."


def test_the_args_section_describes_the_parameters() -> None:
    """Types and stars are left out, continued lines are joined, other sections end it."""
    assert read_docstring(FULL).parameters == {
        "query": "What to look for; words are joined by AND.",
        "limit": "How many: 1 to 50.",
        "rest": "Ignored.",
    }


@pytest.mark.parametrize("text", [None, "", "   \n  "])
def test_no_docstring_tells_nothing(text: str | None) -> None:
    """Nothing is made up."""
    doc = read_docstring(text)

    assert (doc.summary, doc.parameters) == ("", {})


def test_a_docstring_may_start_with_its_sections() -> None:
    """There is no summary then."""
    doc = read_docstring("\n    Args:\n        a: One.\n\n        b: Two.")

    assert (doc.summary, doc.parameters) == ("", {"a": "One.", "b": "Two."})


def test_lines_without_a_name_are_passed_over() -> None:
    """A section that is no list of parameters describes none."""
    assert read_docstring("Do.\n\nArgs:\n    nothing to say").parameters == {}
