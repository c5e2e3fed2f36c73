"""Edits: a person approves a call with other arguments than the model gave it.

1. Every check of the call's own tool is asked again, as if the model had given these arguments.
2. The tool has to be known here, and be the one that the call was made for: nothing that nobody can
   judge is signed.
3. What the call is in line for stays the same: the edit may not name another resource, or another
   limit of calls at once. Such a call is to be denied, and made anew.
4. The first arguments are kept beside the new ones, and the model is told what was changed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from toolferry import Tool, ToolCall
from toolferry.defaults import fill_defaults
from toolferry.legible import value_line
from toolferry.masking import mask_arguments
from toolferry.template import find, places
from toolferry_ledger.logs import get_log
from toolferry_ledger.spec import Spec
from toolferry_policies import Deny, Facts, judge

log = get_log(__name__)

#: Characters of a value that the model is told.
_MAX_VALUE: Final = 100


class EditRefused(ValueError):
    """Arguments may not be a call's; one sentence without its full stop says why."""


def edit(spec: Spec, tool: Tool | None, arguments: Mapping[str, Any], note: str) -> Spec:
    """Give a call with other arguments, judged anew.

    Args:
        spec: The call as it was signed.
        tool: Its tool; None when that is not known here.
        arguments: All arguments of the call, not only those that differ.
        note: What the person says to the model; may be empty.

    Raises:
        EditRefused: It may not be.
    """
    if tool is None or tool.digest != spec.tool_digest:
        raise EditRefused(
            f"the tool {spec.name} that it was made for is not known here, so other arguments"
            " cannot be judged: start a worker that has it, or name its module"
        )
    facts = Facts(
        call=ToolCall(spec.call_id, spec.name, arguments),
        tool=tool,
        registered=frozenset({spec.name}),
        context=spec.context,
    )
    judgement = judge(facts)
    if isinstance(judgement.verdict, Deny):
        log.info("approval.edit_denied", tool=spec.name, detail=judgement.verdict.detail)
        raise EditRefused(
            f"it may not run with these arguments: {judgement.verdict.message.rstrip('.')}"
        )
    _require_same_place(spec, tool, judgement.arguments)
    return replace(
        spec,
        arguments=judgement.arguments,
        original=spec.arguments if spec.original is None else spec.original,
        changes=(*spec.changes, _told(spec, tool, arguments, note), *judgement.changes),
    )


def _require_same_place(spec: Spec, tool: Tool, arguments: Mapping[str, Any]) -> None:
    keys = (tool.resource, tool.concurrency.key if tool.concurrency else None)
    before, after = (fill_defaults(tool.parameters, one) for one in (spec.arguments, arguments))
    named = [place for key in keys if key for place in places(key)]
    changed = sorted({place for place in named if find(before, place) != find(after, place)})
    if changed:
        raise EditRefused(
            f"{' and '.join(changed)} says what the call is in line for and cannot be changed: deny"
            " it with a reason, so that it is made anew"
        )


def _told(spec: Spec, tool: Tool, arguments: Mapping[str, Any], note: str) -> str:
    shown = mask_arguments(tool.parameters, arguments)
    parts = [
        f"{name} is {value_line(shown[name], _MAX_VALUE)}"
        for name in arguments
        if name not in spec.arguments or arguments[name] != spec.arguments[name]
    ]
    parts += [f"{name} was taken away" for name in spec.arguments if name not in arguments]
    said = f" They say: {note}." if note else ""
    return f"A person changed the arguments: {', '.join(parts)}.{said}"
