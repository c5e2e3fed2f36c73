"""The form of a policy file: every key that it may have, and what it means."""

from __future__ import annotations

from typing import Annotated, Any, Literal, Self, TypeAlias

from pydantic import AfterValidator, Field, model_validator

from toolferry import MAX_RESULT_BYTES, Risk
from toolferry.limits import MAX_SECONDS
from toolferry.placement import DAY, MAX_CONCURRENCY, MAX_RATE
from toolferry_policies.budgets import MOST
from toolferry_policies.declared.counted import Budgets, GuardEntry
from toolferry_policies.declared.form import Form, Some

#: The name of the entry that is for every tool.
EVERY: str = "*"


def _plain(value: Any) -> Any:
    """Take a text, a number, true or false as it is."""
    if not isinstance(value, str | bool | int | float):
        raise ValueError("must be a text, a number, true or false")  # noqa: TRY004 -- what pydantic catches
    return value


_Name: TypeAlias = Annotated[str, Field(min_length=1)]
#: Lists of the file are sets here; what is in them is taken as strictly as all else.
_Names: TypeAlias = Annotated[frozenset[_Name], Field(strict=False)]
_Number: TypeAlias = Annotated[float, Field(allow_inf_nan=False)]
_Plain: TypeAlias = Annotated[Any, AfterValidator(_plain)]
_Sentence: TypeAlias = Annotated[str, Field(min_length=1, max_length=500)]


class Comparison(Some):
    """What an argument is compared with; all that is given must hold."""

    above: _Number | None = None
    at_least: _Number | None = None
    below: _Number | None = None
    at_most: _Number | None = None
    one_of: tuple[_Plain, ...] | None = Field(None, strict=False)
    none_of: tuple[_Plain, ...] | None = Field(None, strict=False)
    starts_with: _Name | None = None
    ends_with: _Name | None = None
    #: Characters of a text, or items of a list.
    longer_than: Annotated[int, Field(ge=0)] | None = None
    present: bool | None = None


class Condition(Some):
    """When a rule applies; all that is given must hold."""

    #: The environment is one of these.
    environments: _Names | None = None
    #: The tenant is one of these.
    tenants: _Names | None = None
    #: The principal is one of these.
    principals: _Names | None = None
    #: The context has one of these roles.
    roles: _Names | None = None
    #: The context has one of these permissions.
    permissions: _Names | None = None
    #: By the name of an argument, with dots into nested objects.
    arguments: dict[_Name, Comparison] = Field(default_factory=dict)
    #: By the name of a fact that a provider looks up, with dots into nested objects.
    facts: dict[_Name, Comparison] = Field(default_factory=dict)


class RuleEntry(Form):
    """A rule: a call to which it applies is denied, or a person is asked about it."""

    #: Where there is none, the rule applies to every call.
    when: Condition | None = None
    #: Calls that it does not apply to all the same.
    unless: Condition | None = None
    #: One sentence to the model.
    deny: _Sentence | None = None
    #: One sentence to the person who is asked.
    ask: _Sentence | None = None

    @model_validator(mode="after")
    def _says_one_thing(self) -> Self:
        if (self.deny is None) == (self.ask is None):
            raise ValueError("a rule needs either deny or ask, with a sentence that says why")
        return self


class Limit(Form):
    """How many calls with one key may run at once; see `toolferry.Concurrency`."""

    limit: Annotated[int, Field(ge=1, le=MAX_CONCURRENCY)]
    key: str = ""


class RateEntry(Form):
    """How many calls with one key may start in any stretch of time; see `toolferry.Rate`."""

    limit: Annotated[int, Field(ge=1, le=MAX_RATE)]
    #: Seconds.
    per: Annotated[float, Field(ge=0.01, le=DAY, allow_inf_nan=False)]
    key: str = ""


class Overrides(Some):
    """What is said of some tools; what is left out stays as the tools have it."""

    enabled: bool | None = None
    allowed_roles: _Names | None = None
    permissions: _Names | None = None
    tenants: _Names | None = None
    environments: _Names | None = None
    timeout: Annotated[float, Field(ge=0.001, le=MAX_SECONDS, allow_inf_nan=False)] | None = None
    confirm: Literal["always", "never"] | None = None
    risk: Annotated[Risk, Field(strict=False)] | None = None
    max_result_bytes: Annotated[int, Field(ge=16, le=MAX_RESULT_BYTES)] | None = None
    concurrency: Limit | None = None
    rate: RateEntry | None = None
    polling: bool | None = None
    cost: Annotated[float, Field(ge=0, le=MOST, allow_inf_nan=False)] | None = None
    rules: tuple[RuleEntry, ...] = Field((), strict=False)

    def said(self) -> dict[str, Any]:
        """Give the single values that are said, by key; rules add up instead."""
        names = self.model_fields_set - {"rules"}
        return {name: getattr(self, name) for name in type(self).model_fields if name in names}


class ProfileEntry(Form):
    """The tools for one kind of task: those of a category, with a tag, or by name."""

    categories: _Names = frozenset()
    tags: _Names = frozenset()
    tools: _Names = frozenset()
    max_cost: Annotated[float, Field(ge=0, allow_inf_nan=False)] | None = None
    exclude_dangerous: bool = True

    @model_validator(mode="after")
    def _names_something(self) -> Self:
        if not (self.categories or self.tags or self.tools):
            raise ValueError("a profile needs categories, tags or tools")
        return self


class Declaration(Form):
    """A whole policy file."""

    #: By name of a tool; `*` is for every tool.
    tools: dict[_Name, Overrides] = Field(default_factory=dict)
    categories: dict[_Name, Overrides] = Field(default_factory=dict)
    tags: dict[_Name, Overrides] = Field(default_factory=dict)
    profiles: dict[_Name, ProfileEntry] = Field(default_factory=dict)
    budgets: Budgets | None = None
    loop_guard: GuardEntry | None = None
