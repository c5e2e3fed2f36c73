"""The page about errors: its table of what the guards refuse."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import toolferry_worker.guards

PAGE = Path(__file__).parents[2] / "docs" / "errors.md"


def told_codes() -> list[str]:
    """Give the codes of the page's table, in its order."""
    table = PAGE.read_text(encoding="utf-8").split("<!-- guards -->")[1].split("\n\n")[0]
    return re.findall(r"^\| `(\w+)`", table, re.MULTILINE)


def raised_codes() -> set[str]:
    """Give the codes that stand in the code of the guards."""
    return {
        node.args[0].value
        for path in Path(toolferry_worker.guards.__file__).parent.glob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id == "ToolError"
        and isinstance(node.args[0], ast.Constant)
        and isinstance(node.args[0].value, str)
    }


def test_the_page_tells_every_code_of_the_guards() -> None:
    """Each once, and none that is not there."""
    told = told_codes()

    assert len(told) == len(set(told)) > 3
    assert set(told) == raised_codes()
