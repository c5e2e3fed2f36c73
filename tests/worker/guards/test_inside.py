"""Files opened inside of a root, while somebody changes links."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from toolferry import ConfigurationError, ToolError
from toolferry_worker.guards import open_inside


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Give a folder with a file, beside one with a secret."""
    folder = tmp_path / "root"
    (folder / "sub").mkdir(parents=True)
    (folder / "sub" / "a.txt").write_text("grüße", encoding="utf-8")
    (folder / "inner").symlink_to("sub")
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "a.txt").write_text("secret", encoding="utf-8")
    return folder


def code_of(root: Path, path: str, mode: Any = "r") -> str:
    """Give the code with which opening is refused."""
    with pytest.raises(ToolError) as refused:
        open_inside(root, path, mode)
    return refused.value.code


@pytest.mark.parametrize("path", ["sub/a.txt", "inner/a.txt", "./sub//a.txt"])
def test_a_file_inside_is_opened(root: Path, path: str) -> None:
    """Also through a link that stays inside, as text and as bytes."""
    with open_inside(root, path) as text, open_inside(root, f"{root}/{path}", "rb") as data:
        assert text.read() == "grüße"
        assert data.read() == "grüße".encode()


def test_a_file_is_written_anew_appended_to_and_made_once(root: Path) -> None:
    """As `open` does it."""
    for mode, said in (("x", "1"), ("a", "2")):
        with open_inside(root, "b.txt", mode) as file:  # type: ignore[arg-type]  # from a table
            file.write(said)
    assert (root / "b.txt").read_text(encoding="utf-8") == "12"

    with open_inside(root, "b.txt", "wb") as file:
        file.write(b"3")

    assert (root / "b.txt").read_bytes() == b"3"
    assert code_of(root, "b.txt", "x") == "file_exists"


@pytest.mark.parametrize(
    ("path", "code"),
    [
        ("../out/a.txt", "path_refused"),
        ("/etc/passwd", "path_refused"),
        (".", "path_refused"),
        ("sub", "path_refused"),
        ("sub/a.txt/x", "path_refused"),
        ("sub/a.txt\0", "path_refused"),
        ("none.txt", "no_such_file"),
        ("none/a.txt", "no_such_file"),
    ],
)
def test_what_is_no_file_inside_is_not_opened(root: Path, path: str, code: str) -> None:
    """The model reads which of the two it is, and nothing of what is outside."""
    assert code_of(root, path) == code


@pytest.mark.parametrize("mode", ["r", "w", "a"])
def test_a_pipe_is_neither_opened_nor_waited_for(root: Path, mode: str) -> None:
    """Opening it would block until somebody opens its other end."""
    os.mkfifo(root / "pipe")

    assert code_of(root, "pipe", mode) == "path_refused"


@pytest.mark.parametrize(("turned", "into"), [("sub", "out"), ("sub/a.txt", "out/a.txt")])
@pytest.mark.parametrize("mode", ["r", "w"])
def test_a_name_that_becomes_a_link_after_it_was_resolved_is_not_followed(
    root: Path, monkeypatch: pytest.MonkeyPatch, turned: str, into: str, mode: str
) -> None:
    """As if the system had resolved the path before: what is outside is not read, nor emptied."""
    (root / turned).rename(root / "moved")
    (root / turned).symlink_to(root.parent / into)
    monkeypatch.setattr(os.path, "realpath", os.path.abspath)

    assert code_of(root, "sub/a.txt", mode) == "path_refused"
    assert (root.parent / "out" / "a.txt").read_text(encoding="utf-8") == "secret"


def test_a_link_out_of_the_root_is_not_made_into_a_file(root: Path) -> None:
    """A dangling link would be written through."""
    (root / "new.txt").symlink_to(root.parent / "out" / "new.txt")

    assert code_of(root, "new.txt", "w") == "path_refused"
    assert not (root.parent / "out" / "new.txt").exists()


def test_no_descriptor_is_left_behind(root: Path) -> None:
    """However opening ends."""
    os.mkfifo(root / "pipe")
    before = len(os.listdir("/dev/fd"))  # noqa: PTH208 -- a folder of the system, counted

    for path in ("sub/a.txt", "none.txt", "none/x", "pipe", "sub/a.txt/x", "../x"):
        try:
            open_inside(root, path).close()
        except ToolError:
            continue

    assert len(os.listdir("/dev/fd")) == before  # noqa: PTH208 -- as above


def test_a_root_must_be_absolute() -> None:
    """What it would count from may change."""
    with pytest.raises(ConfigurationError):
        open_inside("relative", "a.txt")
