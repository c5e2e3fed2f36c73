"""`toolferry doctor`: what is wrong, what to do, and what can be relied on."""

from __future__ import annotations

import pytest

from tests.console.conftest import Toolferry


def test_a_sound_installation_is_told_what_it_promises(staffed_toolferry: Toolferry) -> None:
    """One line for everything that was looked at; exit code 0."""
    ran = staffed_toolferry("doctor")

    assert ran.code == 0
    assert {line[:5] for line in ran.out.splitlines()[:-2]} == {"ok   "}
    assert "1 is alive for the async lane" in ran.out
    assert ran.out.splitlines()[-1].startswith("One result per call")


def test_missing_workers_are_a_warning(toolferry: Toolferry) -> None:
    """The line after says how to start one; that keeps nothing from working."""
    ran = toolferry("doctor")

    assert ran.code == 0
    assert "warn workers      none is alive for the async lane" in ran.out
    assert "start one: toolferry worker --lane async --queues default" in ran.out


def test_a_short_secret_is_a_warning(toolferry: Toolferry, monkeypatch: pytest.MonkeyPatch) -> None:
    """And is not shown."""
    monkeypatch.setenv("TOOLFERRY_SECRET", "0123456789abcdef")

    ran = toolferry("doctor")

    assert "warn secret       it has only 16 bytes" in ran.out
    assert "0123456789abcdef" not in ran.out


def test_a_server_that_is_away_fails(toolferry: Toolferry, monkeypatch: pytest.MonkeyPatch) -> None:
    """What can be looked at without it still is; no promise is made."""
    monkeypatch.setenv("TOOLFERRY_URL", "redis://:hush@127.0.0.1:1/0")

    ran = toolferry("doctor", "--json")

    checks = {check["check"]: check["grade"] for check in ran.object["checks"]}
    assert ran.code == 1
    assert (ran.object["ok"], ran.object["promise"]) == (False, None)
    assert checks == {"settings": "ok", "secret": "ok", "server": "fail", "broker": "ok"}
    assert "hush" not in ran.out


def test_a_broker_that_is_away_fails(toolferry: Toolferry, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is named without its password."""
    monkeypatch.setenv("TOOLFERRY_BROKER_URL", "amqp://me:hush@127.0.0.1:1//")

    ran = toolferry("doctor")

    assert ran.code == 1
    assert "fail broker       amqp://me:**@127.0.0.1:1// does not answer" in ran.out
    assert "hush" not in ran.out


def test_a_setting_that_cannot_be_used_fails(
    toolferry: Toolferry, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is named, and the rest is left."""
    monkeypatch.setenv("TOOLFERRY_NAMESPACE", "Not A Name")

    ran = toolferry("doctor", "--json")

    [check] = ran.object["checks"]
    assert ran.code == 1
    assert check["message"].startswith("TOOLFERRY_NAMESPACE")
