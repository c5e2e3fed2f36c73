"""Edits: a person approves a call with other arguments than the model gave it.

1. Every check of the call's own tool is asked again, as if the model had given these arguments.
2. The tool has to be known here, and be the one that the call was made for: nothing that nobody can
   judge is signed.
3. What the call is in line for stays the same: the edit may not name another resource, or another
   limit of calls at once. Such a call is to be denied, and made anew.
4. What is hidden from people is kept: they leave it as it was shown, see `merging`.
5. The first arguments are kept beside the new ones, and the model is told what was changed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from toolferry import NO_EXTENSIONS, Extensions, Tool
from toolferry.deciders import deciders_of
from toolferry.defaults import fill_defaults
from toolferry.legible import value_line
from toolferry.masking import mask_arguments
from toolferry.template import find, places
from toolferry_ledger.judging_again import judge_again
from toolferry_ledger.logs import get_log
from toolferry_ledger.merging import gaps, merge
from toolferry_ledger.policy_file import PolicySource
from toolferry_ledger.sealing import open_secrets, seal_secrets
from toolferry_ledger.signing import Signer
from toolferry_ledger.spec import Spec
from toolferry_policies import NO_POLICY, NOTHING_KNOWN, Deny, Judgement

log = get_log(__name__)

#: Characters of a value that the model is told.
_MAX_VALUE: Final = 100


class EditRefused(ValueError):
    """A call may not run so; one sentence without its full stop says why."""


@dataclass(frozen=True, slots=True)
class Jury:
    """What calls that wait for people are judged by once more."""

    #: Knows the tools; None for one that is not known here.
    find: Callable[[str], Tool | None] = lambda _name: None
    #: What operators declare about them now.
    policies: PolicySource = NO_POLICY
    #: What is asked besides, anew.
    extensions: Callable[[], Extensions] = lambda: NO_EXTENSIONS

    def tool_of(self, spec: Spec) -> Tool | None:
        """Give the tool that a call was made for; None when it is not known here or has changed."""
        tool = self.find(spec.name)
        return tool if tool is not None and tool.digest == spec.tool_digest else None

    def judge(self, spec: Spec, tool: Tool) -> Judgement:
        """Judge a call by what holds now.

        Args:
            spec: The call, its secrets opened.
            tool: Its tool.

        Raises:
            EditRefused: It may not run.
        """
        extensions = self.extensions()
        self._require_deciders(tool, extensions)
        judgement = judge_again(spec, tool, self.policies.current(), extensions)
        if isinstance(judgement.verdict, Deny):
            log.info("approval.not_allowed", tool=spec.name, detail=judgement.verdict.detail)
            raise EditRefused(f"it may not run so: {judgement.verdict.message.rstrip('.')}")
        return judgement

    def _require_deciders(self, tool: Tool, extensions: Extensions) -> None:
        missing = tool.deciders - deciders_of(extensions, tool.name)
        if missing:
            raise EditRefused(
                f"calls of {tool.name} are judged by the {' and the '.join(sorted(missing))}, which"
                " cannot be asked here: name the module that has the tool, or use a dispatcher"
                " with these extensions"
            )


def check_again(jury: Jury, spec: Spec, signer: Signer) -> None:
    """Require that a call may still run as it is, if operators have changed their policy since.

    Raises:
        EditRefused: It may not, or that cannot be told, since nobody here knows its tool.
        Untrusted: Its secrets cannot be opened.
    """
    if jury.policies.current().hash == spec.policy:
        return
    tool = jury.tool_of(spec)
    if tool is None:
        raise EditRefused(
            f"operators have changed their policy since, and the tool {spec.name} that it was made"
            " for is not known here, so it cannot be judged: start a worker that has it, or use a"
            " dispatcher that does"
        )
    jury.judge(open_secrets(spec, signer), tool)


def edit(jury: Jury, shown: Spec, arguments: Mapping[str, Any], note: str, signer: Signer) -> Spec:
    """Give a call with other arguments, judged anew; the same call when they are the same.

    Args:
        jury: What it is judged by.
        shown: The call as it was signed.
        arguments: All arguments of the call, not only those that differ. One that is secret may
            stay as it was shown, or be left out: then it is what it was.
        note: What the person says to the model; may be empty.
        signer: Seals what is secret.

    Raises:
        EditRefused: It may not be.
        Untrusted: Its secrets cannot be opened.
    """
    tool = jury.tool_of(shown)
    if tool is None:
        raise EditRefused(
            f"the tool {shown.name} that it was made for is not known here, so other arguments"
            " cannot be judged: start a worker that has it, or name its module"
        )
    spec = open_secrets(shown, signer)
    seen = mask_arguments(tool.parameters, shown.arguments)
    wanted = merge(arguments, seen, spec.arguments)
    if wanted == spec.arguments:
        check_again(jury, shown, signer)
        return shown
    _require_whole(spec, tool, wanted)
    # What was looked up for other arguments counts for nothing.
    judgement = jury.judge(replace(spec, arguments=wanted, known=NOTHING_KNOWN), tool)
    _require_same_place(spec, jury.policies.current().tool(tool), judgement.arguments)
    edited = replace(
        spec,
        arguments=judgement.arguments,
        original=spec.arguments if spec.original is None else spec.original,
        changes=(*spec.changes, _told(spec, tool, wanted, note), *judgement.changes),
        policy=jury.policies.current().hash,
        known=judgement.known,
        sealed="",
    )
    return seal_secrets(edited, tool, signer)


def _require_whole(spec: Spec, tool: Tool, wanted: Mapping[str, Any]) -> None:
    """Require that nothing stands in place of a secret in what a person has written anew."""
    found = gaps(wanted, spec.arguments)
    if found and (spec.sealed or tool.has_secrets):
        raise EditRefused(
            f"{' and '.join(found)} has a placeholder in place of a secret: leave all of it as it"
            " was shown, or write all of it"
        )


def _require_same_place(spec: Spec, tool: Tool, arguments: Mapping[str, Any]) -> None:
    limits = (one.key for one in (tool.concurrency, tool.rate) if one)
    keys = (tool.resource, *limits)
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
