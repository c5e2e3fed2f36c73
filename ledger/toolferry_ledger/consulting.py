"""Consulting: what an application added to the pipeline is asked about the calls of one turn.

1. `before`: each interceptor, in order, about every call. The first that does not permit refuses.
2. `look up`: the facts of all calls that are left, all at the same time. A call that names no tool
   or does not fit its schema is judged without: a look-up shall see what a handler would.
3. `check`: the pipeline, as without extensions.
4. `pre_execute`: each hook, in order, about every call that all checks let through. It can only
   tighten: its denial counts, its wish for a person counts where no check had one.
5. A call that a check or hook changes goes through 2 to 4 again, with its new arguments.

Calls of a turn are asked about side by side, so that a slow answer costs the turn its time once.
Whatever gives no answer, or no verdict, denies its call and no other one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from copy import deepcopy
from dataclasses import replace
from typing import Any, Final

from toolferry import (
    ConversionFailed,
    Extensions,
    FactProvider,
    Hook,
    Interceptor,
    ToolCall,
    to_json_data,
)
from toolferry_ledger.json_text import write_json
from toolferry_ledger.questions import Asker, Question, Silence
from toolferry_policies import (
    MAX_CHANGES,
    NOTHING_KNOWN,
    Deny,
    Facts,
    Judgement,
    Known,
    Modify,
    Permit,
    Verdict,
    ask_all,
    broken,
    changed,
    judge,
    name_of,
    read_verdict,
    too_many_changes,
)
from toolferry_policies.checks import arguments_fit, tool_is_known, tool_is_visible

#: Bytes of one fact as JSON text: it travels with its call.
MAX_FACT: Final = 4096
#: What a call has to pass before anything is looked up about it.
_READABLE: Final = (tool_is_known, tool_is_visible, arguments_fit)
_PERMIT: Final = Permit()

#: The calls of a turn by position.
Calls = Mapping[int, Facts]


#: Judges the calls of a turn, by position.
JudgeAll = Callable[[Calls], Mapping[int, Judgement]]


def judge_alone(facts: Facts, extensions: Extensions) -> Judgement:
    """Judge one call outside of a turn, such as one whose arguments a person has edited.

    Facts are looked up anew, and interceptors and hooks asked anew.

    Args:
        facts: What is known of the call; what was looked up before counts for nothing.
        extensions: What is asked.
    """
    if not extensions:
        return judge(facts)
    asker = Asker()
    try:
        return Consulting(extensions, asker).judge({0: facts})[0]
    finally:
        asker.close()


class Consulting:
    """Judges the calls of one turn with the extensions of a system.

    Args:
        extensions: What is asked.
        asker: Asks it.
    """

    def __init__(self, extensions: Extensions, asker: Asker) -> None:
        self._extensions = extensions
        self._asker = asker
        self._rounds: dict[int, _Round] = {}
        #: For each call its facts as it came, and the interceptors that let it in, in order.
        self.entered: dict[int, tuple[Facts, list[Interceptor]]] = {}

    def judge(self, calls: Calls) -> dict[int, Judgement]:
        """Judge every call; the story is at the top of this file."""
        judged = self._ask_before(calls)
        self._rounds = {at: _Round(facts) for at, facts in calls.items() if at not in judged}
        while still := {at: one for at, one in self._rounds.items() if at not in judged}:
            self._look_up(still)
            for one in still.values():
                one.check()
            self._ask_hooks(still)
            judged |= {at: found for at, one in still.items() if (found := one.end())}
        return judged

    def _ask_before(self, calls: Calls) -> dict[int, Judgement]:
        self.entered = {at: (_own_copy(facts), []) for at, facts in calls.items()}
        refused: dict[int, Judgement] = {}
        for one in self._extensions.interceptors:
            left = {at: facts for at, facts in calls.items() if at not in refused}
            for at, verdict in self._ask_interceptor(one, left).items():
                if isinstance(verdict, Permit):
                    self.entered[at][1].append(one)
                else:
                    refused[at] = Judgement(verdict, one.name, calls[at].call.arguments)
        return refused

    def _ask_interceptor(self, one: Interceptor, calls: Calls) -> dict[int, Permit | Deny]:
        if one.before is None:
            return dict.fromkeys(calls, _PERMIT)
        answers = self._ask({at: (one.before, facts, one.within) for at, facts in calls.items()})
        return {at: _permit_or_deny(one.name, answer) for at, answer in answers.items()}

    def _look_up(self, rounds: Mapping[int, _Round]) -> None:
        wanted = {
            (at, provider.name): (provider.look_up, one.facts, provider.within)
            for at, one in rounds.items()
            for provider in self._wanted_by(one)
        }
        for (at, name), answer in self._ask(wanted).items():
            rounds[at].note(name, answer)

    def _wanted_by(self, one: _Round) -> list[FactProvider]:
        providers = [it for it in self._extensions.facts if it.concerns(one.facts.call.name)]
        return providers if providers and one.is_readable() else []

    def _ask_hooks(self, rounds: Mapping[int, _Round]) -> None:
        for hooks in self._extensions.hooks:
            for hook in hooks.pre_execute:
                asked = {
                    at: (hook, one.facts, hooks.within)
                    for at, one in rounds.items()
                    if one.may_run and hooks.concerns(one.facts.call.name)
                }
                for at, answer in self._ask(asked).items():
                    rounds[at].hear(hook, answer)

    def _ask(self, questions: Mapping[Any, tuple[Hook, Facts, float]]) -> dict[Any, Any]:
        asked = [
            Question(function, (_own_copy(facts),), within)
            for function, facts, within in questions.values()
        ]
        return dict(zip(questions, self._asker.ask(asked), strict=True))


def _own_copy(facts: Facts) -> Facts:
    """Give facts whose arguments may be changed: that changes nothing, only a verdict does."""
    call = facts.call
    return replace(facts, call=ToolCall(call.call_id, call.name, deepcopy(call.arguments)))


class _Round:
    """One call while it is judged: with what was changed and found out so far."""

    def __init__(self, facts: Facts) -> None:
        self.facts = facts
        self._changes: tuple[str, ...] = ()
        self._known: dict[str, Any] = {}
        self._verdict: Verdict | None = None
        self._rule = ""

    @property
    def may_run(self) -> bool:
        """Whether nothing stands against it so far but, perhaps, that a person is to be asked."""
        return not isinstance(self._verdict, Deny | Modify)

    def is_readable(self) -> bool:
        """Whether it names a tool and fits its schema; what else it is, the checks will say."""
        verdict, _ = ask_all(self.facts, _READABLE)
        return isinstance(verdict, Permit)

    def note(self, name: str, answer: Any) -> None:
        """Take what was looked up; a call of which something is not known is denied."""
        value, fault = _read_fact(answer)
        self._known[name] = value
        if fault and self._verdict is None:
            self._verdict, self._rule = broken(name, fault, "fact provider"), name

    def check(self) -> None:
        """Ask every check, with what is known now."""
        if self._verdict is None:
            known = Known(self._known) if self._known else NOTHING_KNOWN
            self.facts = replace(self.facts, known=known)
            self._verdict, self._rule = ask_all(self.facts)

    def hear(self, hook: Hook, answer: Any) -> None:
        """Take a hook's answer; it can only tighten."""
        verdict = _verdict_of(hook, answer)
        if isinstance(verdict, Permit) or not self.may_run:
            return
        if isinstance(verdict, Deny | Modify) or isinstance(self._verdict, Permit):
            self._verdict, self._rule = verdict, name_of(hook)

    def end(self) -> Judgement | None:
        """Give the judgement; None when the call was changed and has to be judged anew."""
        verdict, self._verdict = self._verdict or _PERMIT, None
        if not isinstance(verdict, Modify):
            arguments, known = self.facts.call.arguments, self.facts.known
            return Judgement(verdict, self._rule, arguments, self._changes, known)
        if len(self._changes) == MAX_CHANGES:
            return too_many_changes(self.facts, self._rule)
        self._changes += (verdict.reason,)
        self._known = {}
        self.facts = changed(self.facts, verdict)
        return None


def _permit_or_deny(name: str, answer: Any) -> Permit | Deny:
    if isinstance(answer, Silence):
        return broken(name, answer.why, "interceptor")
    verdict = read_verdict(name, answer)
    if isinstance(verdict, Permit | Deny):
        return verdict
    what = f"answered with {type(answer).__name__}, which neither permits nor denies"
    return broken(name, what, "interceptor")


def _verdict_of(hook: Hook, answer: Any) -> Verdict:
    if isinstance(answer, Silence):
        return broken(name_of(hook), answer.why, "hook")
    return read_verdict(hook, answer)


def _read_fact(answer: Any) -> tuple[Any, str]:
    """Give a fact as JSON data, and why it is none; empty when it is one."""
    if isinstance(answer, Silence):
        return None, answer.why
    if answer is None:
        return None, "gave nothing"
    try:
        value = to_json_data("fact", answer)
    except ConversionFailed as error:
        return None, f"gave what is no JSON data: {error}"
    size = len(write_json(value))
    return value, f"gave {size:,} bytes, which is over {MAX_FACT:,}" if size > MAX_FACT else ""
