"""What operators declare, from the policy file to what the model reads."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from structlog.testing import capture_logs

from toolferry import (
    ConfigurationError,
    Context,
    EffectClass,
    Registry,
    ToolCall,
    tool,
)
from toolferry_dispatcher import Dispatcher
from toolferry_dispatcher.admission import submissions
from toolferry_dispatcher.menu import menu_of
from toolferry_dispatcher.prepare import Request, prepare
from toolferry_ledger import Settings, Signer, Spec, judge_again
from toolferry_policies import (
    NO_POLICY,
    Deny,
    Permit,
    Policy,
    PolicyInvalid,
    RequireApproval,
    read_policy,
)
from toolferry_testing import Rehearsal

SIGNER = Signer(b"a secret of a test")


@tool(category="web")
async def fetch(url: str) -> str:
    """Fetch a page."""
    return f"{url}: " + "x" * 1000


@tool(category="bank", effect=EffectClass.WRITE)
async def refund(amount: int) -> str:
    """Give money back."""
    return f"{amount} refunded"


@tool(category="file", effect=EffectClass.DESTRUCTIVE)
async def wipe() -> str:
    """Remove everything."""
    return "wiped"


REGISTRY = Registry([fetch, refund, wipe])


def policy_of(text: str) -> Policy:
    """Read a policy."""
    return read_policy(text.encode(), "toolferry.toml")


def told(policy: Policy, name: str, arguments: dict[str, Any], **options: Any) -> dict[str, Any]:
    """Give what the model reads of a call."""
    rehearsal = Rehearsal(REGISTRY, policy=policy)
    turn = rehearsal.dispatch([ToolCall("c1", name, arguments)], **options)
    envelope: dict[str, Any] = json.loads(turn.messages()[0]["content"])
    return envelope


def spec_of(policy: Policy, name: str, arguments: dict[str, Any], **context: Any) -> Spec:
    """Give what a dispatcher writes down of a call."""
    request = Request(response=[ToolCall("c1", name, arguments)], context=Context(**context))
    prepared = prepare(request, REGISTRY, lambda: 1000.0, policy)
    [submission] = submissions(prepared.admitted, prepared.origin, SIGNER)
    return Spec.from_bytes(submission.spec)


def test_a_rule_of_the_file_decides_by_environment_and_role() -> None:
    """Staging yes, production only for supervisors."""
    policy = policy_of(
        """
[[tools.refund.rules]]
when = { environments = ["production"] }
unless = { roles = ["supervisor"] }
deny = "In production only supervisors refund."
"""
    )
    supervisor = Context(environment="production", roles=frozenset({"supervisor"}))

    denied = told(policy, "refund", {"amount": 1}, context=Context(environment="production"))

    assert denied["message"] == "In production only supervisors refund."
    assert told(policy, "refund", {"amount": 1}, context=Context(environment="staging"))["ok"]
    assert told(policy, "refund", {"amount": 1}, context=supervisor)["ok"]


def test_a_tool_that_is_switched_off_is_not_on_offer_and_not_named() -> None:
    """A model that knows it from before is told so."""
    policy = policy_of("[tools.refund]\nenabled = false")

    denied = told(policy, "refund", {"amount": 1})
    unknown = told(policy, "refunds", {"amount": 1})

    assert denied["error_code"] == "tool_not_allowed"
    assert unknown["suggestion"] == "The tools on offer are: fetch, wipe."


def test_a_limit_of_the_file_reaches_the_worker() -> None:
    """Which cuts the result by what the call was signed with."""
    policy = policy_of("[categories.web]\nmax_result_bytes = 40")

    result = told(policy, "fetch", {"url": "a"})

    assert len(json.dumps(result["content"])) == 40
    assert result["truncated"] is True


def test_the_hash_of_the_file_is_in_what_is_signed() -> None:
    """So that a verdict can be told from one by another file; without a file nothing is written."""
    policy = policy_of("[tools.refund]\ntimeout = 7")

    spec = spec_of(policy, "refund", {"amount": 1})

    assert (spec.policy, spec.timeout, spec.max_result_bytes) == (policy.hash, 7, None)
    assert b"policy" not in spec_of(NO_POLICY, "refund", {"amount": 1}).to_bytes()
    assert Spec.from_bytes(spec.to_bytes()) == spec


def test_a_menu_is_what_a_provider_takes_and_what_may_be_called() -> None:
    """Five tools instead of a hundred, in two lines."""
    policy = policy_of('[profiles.research]\ncategories = ["web", "file"]')
    menu = menu_of(REGISTRY, policy, task_type="research")

    names = [one["function"]["name"] for one in menu.schemas("openai-chat")]
    denied = told(policy, "refund", {"amount": 1}, visible=menu)

    assert (list(menu), len(menu), "fetch" in menu, names) == (["fetch"], 1, True, ["fetch"])
    assert told(policy, "fetch", {"url": "a"}, visible=menu)["ok"]
    assert denied["error_code"] == "tool_not_allowed"


def test_a_menu_has_tools_as_the_policy_has_them() -> None:
    """What operators call a high risk is asked for, what they switch off is not there at all."""
    policy = policy_of(
        '[tools.refund]\nrisk = "high"\n[tools.fetch]\nenabled = false\n[profiles.all]\n'
        'tools = ["fetch", "refund"]'
    )

    assert list(menu_of(REGISTRY, policy)) == []
    assert list(menu_of(REGISTRY, policy, names=["refund", "fetch"])) == ["refund"]
    assert list(menu_of(REGISTRY, policy, task_type="all")) == ["refund"]


def test_a_menu_of_a_profile_that_is_not_there_is_refused() -> None:
    """With those that are."""
    policy = policy_of('[profiles.research]\ncategories = ["web"]')

    with pytest.raises(ConfigurationError, match="no profile 'x'; there are: research"):
        menu_of(REGISTRY, policy, task_type="x")


def test_a_call_that_waits_is_judged_again_by_the_policy_of_now() -> None:
    """A reload voids nothing, and lets nothing pass that is not allowed any more."""
    spec = spec_of(policy_of('[tools.refund]\nconfirm = "always"'), "refund", {"amount": 200})
    stricter = policy_of(
        "[[tools.refund.rules]]\nwhen = { arguments = { amount = { above = 100 } } }\ndeny = 'No.'"
    )

    assert isinstance(judge_again(spec, refund, stricter).verdict, Deny)
    assert judge_again(spec, refund, NO_POLICY).verdict == Permit()
    assert isinstance(
        judge_again(spec, refund, policy_of('[tools."*"]\nconfirm = "always"')).verdict,
        RequireApproval,
    )
    assert isinstance(
        judge_again(spec, refund, policy_of("[tools.refund]\nenabled = false")).verdict, Deny
    )
    assert isinstance(judge_again(spec, None, NO_POLICY).verdict, Deny)


def test_a_dispatcher_reads_the_file_of_its_working_directory(
    settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And tells a refusal with the file's hash; a slip in a name is told at the start."""
    (tmp_path / "toolferry.toml").write_text(
        "[tools.wipe]\nallowed_roles = ['root']\n[tools.refnd]\nenabled = false"
    )
    monkeypatch.chdir(tmp_path)

    with capture_logs() as logs, Dispatcher(REGISTRY, settings) as dispatcher:
        turn = dispatcher.dispatch([ToolCall("c1", "wipe", {})])
        [result] = turn.gather()
        fingerprint = dispatcher.policy.hash

    told = {entry["event"]: entry for entry in logs}
    assert result.is_error
    assert told["call.rejected"]["policy"] == fingerprint
    assert (told["policy.name_unknown"]["name"], told["policy.name_unknown"]["meant"]) == (
        "refnd",
        "refund",
    )


def test_a_dispatcher_does_not_start_with_a_file_that_cannot_be_used(
    settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """None means no file at all."""
    (tmp_path / "toolferry.toml").write_text("[tool.wipe]")
    monkeypatch.chdir(tmp_path)

    with pytest.raises(PolicyInvalid, match=r"toolferry\.toml: line 1: tool: there is no such"):
        Dispatcher(REGISTRY, settings)
    with Dispatcher(REGISTRY, settings, policy=None) as dispatcher:
        assert dispatcher.policy is NO_POLICY
