"""`toolferry policy`: what is wrong with a policy file, and what tools come to."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.console.conftest import SAMPLE_TOOLS, Toolferry

POLICY = """[tools.add]
confirm = "never"
timeout = 5
[tools.ad]
enabled = false
[tools.send]
concurrency = { limit = 1, key = "{x}" }
[[tools.add.rules]]
when = { arguments = { aa = { above = 3 }, a = { starts_with = "x" } } }
deny = "No."
[profiles.math]
tools = ["add", "sum"]
"""


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give the policy file that the environment names."""
    path = tmp_path / "policy.toml"
    path.write_text(POLICY)
    monkeypatch.setenv("TOOLFERRY_POLICY", str(path))
    return path


def test_everything_is_told_that_is_wrong_with_a_file(toolferry: Toolferry, file: Path) -> None:
    """Names with the closest, what does nothing, what would deny every call; each with its line."""
    ran = toolferry("policy", "check", "--tools", SAMPLE_TOOLS)

    assert ran.code == 1
    assert ran.err.replace(f"{file}: ", "").splitlines() == [
        "line 2: tools.add.confirm: it does nothing: no tool is changed by it",
        "line 4: tools.ad: no tool has this name; did you mean add?",
        (
            "line 6: tools.send: it does not fit the tool send: concurrency names {x}, which is no"
            " parameter; every call of it would be denied"
        ),
        (
            "line 9: tools.add.rules.0.when.arguments.aa: no tool that the rule is for has this"
            " argument; did you mean a?"
        ),
        (
            "line 9: tools.add.rules.0.when.arguments.a.starts_with: a of add is of type integer,"
            " so every such call would be denied"
        ),
        "line 12: profiles.math.tools: sum: no tool has this name",
    ]
    assert "profile math: add" in ran.out


def test_a_sound_file_is_told_with_its_hash(toolferry: Toolferry, file: Path) -> None:
    """The exit code is 0; without tools only the file itself is looked at."""
    file.write_text("[tools.add]\ntimeout = 5\n")

    ran = toolferry("policy", "check", "--json")
    with_tools = toolferry("policy", "check", "--tools", SAMPLE_TOOLS, "--json")

    assert (ran.code, ran.object["ok"], len(ran.object["hash"])) == (0, True, 12)
    [add] = [one for one in with_tools.object["tools"] if one["name"] == "add"]
    assert {"key": "timeout", "value": 5, "by": "tools.add", "line": 2} in add["says"]


def test_a_file_that_cannot_be_used_is_a_finding(toolferry: Toolferry, file: Path) -> None:
    """Every fault is one line."""
    file.write_text("[tools.add]\ntimeout = 'long'\nroles = []\n")

    ran = toolferry("policy", "check")

    assert ran.code == 1
    assert ran.err.splitlines() == [
        f"{file}: line 2: tools.add.timeout: must be a number",
        f"{file}: line 3: tools.add.roles: there is no such key; did you mean rules?",
    ]


def test_a_file_that_is_not_there_is_bad_input(toolferry: Toolferry) -> None:
    """One sentence."""
    ran = toolferry("policy", "check", "nowhere.toml")

    assert (ran.code, ran.err) == (2, "toolferry: nowhere.toml: there is no such policy file\n")


@pytest.mark.usefixtures("file")
def test_a_tool_is_shown_with_who_says_what(toolferry: Toolferry) -> None:
    """The line of the file, or its code."""
    ran = toolferry("policy", "show", "add", "--tools", SAMPLE_TOOLS, "--json")

    says = {row["key"]: (row["value"], row["by"], row["line"]) for row in ran.object["says"]}
    assert says["timeout"] == (5, "tools.add", 3)
    assert says["risk"] == ("low", None, 0)
    assert says["rule"][1:] == ("tools.add.rules.0", 8)


def test_budgets_and_the_guard_are_told(toolferry: Toolferry, file: Path) -> None:
    """With the line that says so; they count the calls of every tool."""
    file.write_text("[budgets.turn]\ncalls = 9\n[loop_guard]\ndeny_at = 4\n")
    guard = {"key": "loop_guard", "value": {"deny_at": 4}, "by": "loop_guard", "line": 3}

    checked = toolferry("policy", "check", "--tools", SAMPLE_TOOLS)
    shown = toolferry("policy", "show", "add", "--tools", SAMPLE_TOOLS, "--json")

    assert 'budgets.turn: {"calls": 9}\nloop_guard: {"deny_at": 4}\n' in checked.out
    assert guard in shown.object["says"]


@pytest.mark.usefixtures("file")
def test_a_tool_that_is_not_there_is_bad_input(toolferry: Toolferry) -> None:
    """With those that look like it."""
    ran = toolferry("policy", "show", "ad", "--tools", SAMPLE_TOOLS)

    assert ran.code == 2
    assert "did you mean add?" in ran.err


def test_the_doctor_tells_which_policy_holds(toolferry: Toolferry, file: Path) -> None:
    """By its hash."""
    ran = toolferry("doctor")

    assert ran.code == 0
    assert f"ok   policy       {file} holds; its hash is " in ran.out


def test_the_doctor_tells_what_is_wrong_with_the_policy(toolferry: Toolferry, file: Path) -> None:
    """It keeps an installation from starting."""
    file.write_text("[tools.add]\ntimeout = 'long'\n")

    ran = toolferry("doctor")

    assert ran.code == 1
    assert f"fail policy       {file}: line 2: tools.add.timeout: must be a number" in ran.out
    assert "those that run keep the policy they had" in ran.out


def test_a_call_is_told_with_the_policy_that_it_was_judged_by(
    staffed_toolferry: Toolferry, file: Path
) -> None:
    """In the JSON as well."""
    file.write_text("[tools.add]\nallowed_roles = ['root']\n")

    ran = staffed_toolferry("call", "add", "--arguments", '{"a": 1, "b": 2}', "--json")

    [result] = ran.object["results"]
    assert result["error"]["message"] == "The tool add needs the role root."
    assert len(ran.object["policy"]) == 12


PAST = """{"call": "t:0", "tool": "add", "arguments": {"a": 1, "b": 2}, "verdict": "permit"}
{"kind": "ended", "call": "t:0"}

{"name": "add", "arguments": {"a": 1, "b": 2}, "context": {"roles": ["root"]}}
{"tool": "pay", "arguments": {"to": "ada"}, "roles": ["root"], "verdict": "permit"}
"""


def test_past_calls_are_told_that_a_changed_policy_treats_differently(
    toolferry: Toolferry, file: Path, tmp_path: Path
) -> None:
    """Compared with what was decided then, or else with no policy."""
    file.write_text('[tools.add]\nallowed_roles = ["root"]\n[tools.pay]\nconfirm = "always"\n')
    calls = tmp_path / "calls.jsonl"
    calls.write_text(PAST)

    ran = toolferry("policy", "replay", str(calls), "--tools", SAMPLE_TOOLS, "--json")

    assert ran.code == 1
    assert ran.object["calls"] == 3
    assert [(one["line"], one["was"], one["now"]) for one in ran.object["different"]] == [
        (1, "permit", "deny"),
        (5, "permit", "require_approval"),
    ]
    assert ran.object["different"][0]["reason"] == "The tool add needs the role root."


def test_what_an_audit_tells_besides_calls_is_no_past_call(
    toolferry: Toolferry, file: Path, tmp_path: Path
) -> None:
    """What a person said of one, how it was edited, and what was approved in advance."""
    file.write_text('[tools.add]\nconfirm = "always"\n')
    told = {"tool": "add", "arguments": {"a": 1, "b": 2}}
    lines = [
        {"kind": "requested", "verdict": "require_approval", **told},
        {"kind": "decided", "verdict": "approve", **told},
        *({"kind": kind, **told} for kind in ("edited", "allowed")),
    ]
    calls = tmp_path / "audit.jsonl"
    calls.write_text("".join(f"{json.dumps(line)}\n" for line in lines))

    ran = toolferry("policy", "replay", str(calls), "--tools", SAMPLE_TOOLS, "--json")

    assert (ran.object["calls"], ran.object["different"], ran.code) == (1, [], 0)


def test_two_policies_are_compared_on_past_calls(
    toolferry: Toolferry, file: Path, tmp_path: Path
) -> None:
    """Whatever was decided then."""
    file.write_text("[tools.add]\nenabled = false\n")
    before = tmp_path / "before.toml"
    before.write_text('[tools.add]\nallowed_roles = ["root"]\n')
    calls = tmp_path / "calls.jsonl"
    calls.write_text(PAST)

    options = ("--tools", SAMPLE_TOOLS, "--before", str(before))
    ran = toolferry("policy", "replay", str(calls), *options)

    assert ran.code == 1
    assert ran.out.splitlines() == [
        "line 4: add: was permit, now deny: The tool add is not on offer in this turn.",
        "1 of 3 calls would be treated differently",
    ]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("{", "line 1 is no JSON"),
        ("[]", "line 1 is no JSON object"),
        (
            '{"tool": "add", "arguments": {}, "context": {"role": "a"}}',
            (
                "line 1: context: role is not known; the keys are environment, locale, permissions,"
                " principal, roles, tenant"
            ),
        ),
    ],
)
def test_a_line_that_cannot_be_read_is_named(
    toolferry: Toolferry, file: Path, tmp_path: Path, line: str, said: str
) -> None:
    """One sentence, exit code 2."""
    file.write_text("")
    calls = tmp_path / "calls.jsonl"
    calls.write_text(line)

    ran = toolferry("policy", "replay", str(calls), "--tools", SAMPLE_TOOLS)

    assert (ran.code, ran.err) == (2, f"toolferry: {calls}: {said}\n")


@pytest.mark.usefixtures("file")
def test_a_number_that_nobody_can_read_is_named_with_its_line(
    toolferry: Toolferry, tmp_path: Path
) -> None:
    """As any line that is no JSON."""
    calls = tmp_path / "calls.jsonl"
    calls.write_text('{"tool": "add", "arguments": {"a": ' + "9" * 5000 + "}}")

    ran = toolferry("policy", "replay", str(calls), "--tools", SAMPLE_TOOLS)

    assert "line 1 is no JSON" in ran.err
    assert "Traceback" not in ran.err
