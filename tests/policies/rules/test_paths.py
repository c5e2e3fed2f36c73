"""Paths that stay inside of a root."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.policies.rules.asking import ask, denied, permits
from toolferry import ConfigurationError
from toolferry_policies import Deny, Permit
from toolferry_policies.rules import path_inside


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Give a folder with files and links, beside one with a secret."""
    folder = tmp_path / "root"
    (folder / "sub").mkdir(parents=True)
    (folder / "a.txt").write_text("a", encoding="utf-8")
    (tmp_path / "root-other").mkdir()
    (tmp_path / "secret.txt").write_text("secret", encoding="utf-8")
    (folder / "inner").symlink_to("sub")
    (folder / "out").symlink_to(tmp_path)
    (folder / "out.txt").symlink_to(tmp_path / "secret.txt")
    (folder / "sub" / "up").symlink_to("../..")
    (folder / "dangling").symlink_to(tmp_path / "not-yet")
    (folder / "twice").symlink_to("out.txt")
    return folder


@pytest.mark.parametrize(
    "path",
    ["a.txt", "sub/new.txt", "new/deep/x.txt", ".", "./a.txt", "sub//x", "inner/x.txt", "ü/文.txt"],
)
def test_a_path_that_leads_inside_is_permitted(root: Path, path: str) -> None:
    """Also through a link that stays inside, and to what does not exist yet; absolute as well."""
    assert permits(path_inside("value", root), path)
    assert permits(path_inside("value", root), f"{root}/{path}")


@pytest.mark.parametrize(
    "path",
    [
        "..",
        "../secret.txt",
        "sub/../../secret.txt",
        "sub/../a.txt",
        "/etc/passwd",
        "//etc/passwd",
        "out/secret.txt",
        "out.txt",
        "twice",
        "out/root/a.txt/../../secret.txt",
        "out/new/deep.txt",
        "sub/up/secret.txt",
        "dangling",
        "dangling/x",
        "a.txt\0",
        "a.txt\n",
        "~",
        "~/x",
        "~root/x",
        "C:\\x",
        "c:x",
        "..\\secret.txt",
        "\\\\host\\share",
        "",
        "a" * 256,
        "a/" * 2_500,
        "文" * 100,
        7,
        ["a.txt"],
    ],
)
def test_a_path_that_leads_elsewhere_is_denied(root: Path, path: Any) -> None:
    """Also when it would be made only later, and when it could be read in two ways."""
    assert isinstance(ask(path_inside("value", root), value=path), Deny)


def test_a_folder_whose_name_begins_like_the_root_is_not_inside(root: Path) -> None:
    """Names are compared whole."""
    assert not permits(path_inside("value", root), f"{root}-other/x")


def test_a_root_that_is_a_link_is_resolved_each_time(root: Path, tmp_path: Path) -> None:
    """So that it may be changed from one release of data to the next."""
    link = tmp_path / "current"
    link.symlink_to(root)
    rule = path_inside("value", link)

    assert permits(rule, "a.txt")
    assert permits(rule, f"{root}/a.txt")
    link.unlink()
    link.symlink_to(tmp_path / "root-other")
    assert not permits(rule, f"{root}/a.txt")


def test_a_refusal_names_the_root(root: Path) -> None:
    """So that a model can mend the call."""
    verdict = denied(ask(path_inside("value", root), value="/etc/passwd"))

    assert verdict.faults[0].expected == f"a plain path inside of {root}, without .."


@pytest.mark.parametrize("root", ["", "relative", "/a\0b"])
def test_a_root_must_be_absolute(root: str) -> None:
    """What it would count from may change."""
    with pytest.raises(ConfigurationError):
        path_inside("value", root)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(
        st.sampled_from(["..", ".", "", "sub", "up", "out", "inner", "a.txt", "~", "twice", "new"]),
        max_size=7,
    ).map("/".join)
)
def test_what_is_permitted_is_inside_as_the_system_resolves_it(root: Path, path: str) -> None:
    """Whatever names and links it is made of."""
    if permits(path_inside("value", root), path):
        found = os.path.realpath(root / path)
        assert found == str(root) or found.startswith(f"{root}/")


@given(st.text())
def test_any_text_gets_a_verdict(text: str) -> None:
    """Nothing is raised."""
    assert isinstance(ask(path_inside("value", "/nowhere/at/all"), value=text), Permit | Deny)
