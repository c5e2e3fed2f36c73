"""Policy files: what is taken, and what is said of each fault."""

from __future__ import annotations

import hashlib

import pytest

from toolferry_policies import PolicyInvalid, read_policy


def faults_of(text: str) -> list[str]:
    """Give what is said of a text that cannot be used, sorted."""
    with pytest.raises(PolicyInvalid) as caught:
        read_policy(text.encode(), "p.toml")
    return sorted(str(fault) for fault in caught.value.faults)


def test_a_policy_is_known_by_the_beginning_of_its_checksum() -> None:
    """`sha256sum` shows which file a verdict was made by."""
    text = b'[tools.refund]\nconfirm = "always"\n'

    assert read_policy(text, "p.toml").hash == hashlib.sha256(text).hexdigest()[:12]


def test_every_fault_is_told_at_once_each_with_its_line() -> None:
    """One edit mends all; a value of several lines is told by its first."""
    faults = faults_of(
        """[tools.refund]
confirm = "sometimes"
allowed_role = ["support"]
timeout = "5"
environments = [
  "staging",
  1,
]
[[tools.refund.rules]]
deny = "No."
[[tools.refund.rules]]
deny = ""
when = { arguments = { amount = { above = "x", one_of = [1979-05-27] } } }
"""
    )

    assert faults == [
        "p.toml: line 12: tools.refund.rules.1.deny: must not be empty",
        "p.toml: line 13: tools.refund.rules.1.when.arguments.amount.above: must be a number",
        (
            "p.toml: line 13: tools.refund.rules.1.when.arguments.amount.one_of.0: must be a text,"
            " a number, true or false"
        ),
        "p.toml: line 2: tools.refund.confirm: must be 'always' or 'never'",
        (
            "p.toml: line 3: tools.refund.allowed_role: there is no such key; did you mean"
            " allowed_roles?"
        ),
        "p.toml: line 4: tools.refund.timeout: must be a number",
        "p.toml: line 5: tools.refund.environments.1: must be a text",
    ]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a = [", "p.toml: it is no TOML: Invalid value (at end of document)"),
        ("[tool.x]", "p.toml: line 1: tool: there is no such key; did you mean tools?"),
        (
            "[tools.x]\nlane = 'async'",
            (
                "p.toml: line 2: tools.x.lane: only the tool itself can say this: workers run a"
                " call as it was made for"
            ),
        ),
        ("[tags.x]", "p.toml: line 1: tags.x: it is empty; give one of its keys at least"),
        ("[tools]\nx = 1", "p.toml: line 2: tools.x: must be a table"),
        ("[tools.x]\nenabled = 1", "p.toml: line 2: tools.x.enabled: must be true or false"),
        (
            "[[tools.x.rules]]\nask = 'a'\ndeny = 'b'",
            (
                "p.toml: line 1: tools.x.rules.0: a rule needs either deny or ask, with a sentence"
                " that says why"
            ),
        ),
        (
            "[[tools.x.rules]]\nask = 'a'\nwhen = {}",
            "p.toml: line 3: tools.x.rules.0.when: it is empty; give one of its keys at least",
        ),
        (
            "[tools.x]\nconcurrency = { key = 'a' }",
            "p.toml: line 2: tools.x.concurrency: limit is missing",
        ),
        ("[tools.x]\ntimeout = 0", "p.toml: line 2: tools.x.timeout: must be 0.001 or more"),
        ("[tools.x]\ntimeout = nan", "p.toml: line 2: tools.x.timeout: must be a finite number"),
    ],
)
def test_a_fault_is_one_sentence_with_file_line_and_key(text: str, said: str) -> None:
    """Whoever reads it knows where to look and what to write."""
    assert faults_of(text) == [said]


def test_a_file_that_is_no_text_is_refused() -> None:
    """The reader names the byte."""
    with pytest.raises(PolicyInvalid, match=r"p\.toml: it is no UTF-8 text \(byte 3\)"):
        read_policy(b"a =\xff", "p.toml")


def test_a_file_with_a_number_that_nobody_can_read_is_refused() -> None:
    """Python reads no number of so many digits, and says so in its own way."""
    with pytest.raises(PolicyInvalid, match=r"p\.toml: it is no TOML: Exceeds the limit"):
        read_policy(b"a = " + 5000 * b"9", "p.toml")
