"""Every rule: its own examples, and what it must not cry over."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.contract.linting.samples import codes, defined, places, read
from toolferry import RULES, Definition, EffectClass, Rule, lint

TEXT = {"type": "string"}


@pytest.mark.parametrize("rule", RULES.values(), ids=RULES)
def test_a_rule_finds_something_in_its_bad_example(rule: Rule) -> None:
    """Each bad definition stands for itself, unless the rule compares tools."""
    findings = [one for one in lint(read(*rule.bad)) if one.code == rule.code]

    alone = [lint(read(one)) for one in rule.bad]
    compares = len(rule.bad) > 1 and not any(one.code == rule.code for one in alone[0])
    assert findings
    assert compares or all(any(one.code == rule.code for one in found) for found in alone)


@pytest.mark.parametrize("rule", RULES.values(), ids=RULES)
def test_a_rule_finds_nothing_in_its_good_example(rule: Rule) -> None:
    """The mend that it tells is one that it accepts."""
    assert rule.code not in codes(*read(*rule.good))


def test_the_rules_have_codes_names_and_lines_of_their_own() -> None:
    """So that a code in a reason means one thing, for ever."""
    rules = list(RULES.values())

    assert list(RULES) == sorted(RULES)
    assert all(code == rule.code for code, rule in RULES.items())
    assert len({rule.name for rule in rules}) == len({rule.doc for rule in rules}) == len(rules)
    assert all(rule.doc.endswith(".") and "\n" not in rule.doc for rule in rules)


def test_a_finding_tells_place_problem_and_mend() -> None:
    """In words and as JSON data."""
    [finding] = [one for one in lint([defined("", since={})]) if one.code == "TF302"]

    assert str(finding) == (
        "TF302 at parameters.properties.since: it has no type, so anything fits"
        " (give it a type, or the alternatives as anyOf)"
    )
    assert json.loads(json.dumps(finding.to_json())) == {
        "code": "TF302",
        "rule": "parameter-untyped",
        "severity": "warning",
        "tool": "orders_list",
        "place": "parameters.properties.since",
        "problem": "it has no type, so anything fits",
        "mend": "give it a type, or the alternatives as anyOf",
    }


@pytest.mark.parametrize("name", ["search", "run_query", "getData", "process_data", "tool.execute"])
def test_a_name_of_words_that_any_tool_could_have_is_generic(name: str) -> None:
    """In every way of writing names."""
    assert "TF101" in codes(Definition(name=name))


@pytest.mark.parametrize("name", ["orders_get", "searchFlights", "mail.send", "isPrime", "rm_v2"])
def test_a_name_with_a_subject_and_a_verb_is_fine(name: str) -> None:
    """Where the verb stands does not matter."""
    assert {"TF101", "TF103"}.isdisjoint(codes(Definition(name=name)))


def test_names_and_descriptions_in_other_scripts_are_not_judged_by_english_words() -> None:
    """A rule that cannot read them says nothing."""
    definition = Definition(name="读取文件", description="读取一个文件的内容。")

    assert {"TF103", "TF202", "TF203", "TF204"}.isdisjoint(codes(definition))


def test_members_of_nested_schemas_are_judged_where_they_stand() -> None:
    """In properties, items, alternatives and definitions."""
    point = {"type": "object", "description": "Where.", "properties": {"x": {"type": "number"}}}
    listed = {"type": "array", "description": "Points.", "maxItems": 3, "items": point}
    definition = defined("", where=point, path=listed)

    assert places(definition, "TF301") == [
        "parameters.properties.where.properties.x",
        "parameters.properties.path.items.properties.x",
    ]


def test_an_object_is_described_by_the_descriptions_of_all_its_members() -> None:
    """One that lacks a description is named itself."""
    told = {"type": "string", "description": "A town."}
    whole = {"type": "object", "properties": {"start": told, "end": told}}
    part = {"type": "object", "properties": {"start": told, "end": TEXT}}

    assert places(defined("", route=whole), "TF301") == []
    assert places(defined("", route=part), "TF301") == [
        "parameters.properties.route",
        "parameters.properties.route.properties.end",
    ]


def test_a_reference_says_what_a_member_is() -> None:
    """Its description and its type are those that it refers to."""
    state = {"type": "string", "description": "Where it stands.", "enum": ["open", "paid"]}
    parameters = {"properties": {"state": {"$ref": "#/$defs/State"}}, "$defs": {"State": state}}

    found = codes(Definition(name="orders_list", parameters=parameters))

    assert {"TF301", "TF302"}.isdisjoint(found)


@pytest.mark.parametrize(
    "reference",
    ["#", "#/properties/a", "#/nothing", "elsewhere.json", "#anchor", "#/properties/a/x/9"],
)
def test_a_reference_that_leads_nowhere_or_in_a_circle_is_survived(reference: str) -> None:
    """Registering says what is wrong with it."""
    assert isinstance(codes(defined("", a={"$ref": reference})), list)


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "string", "description": "Either 'asc' or 'desc'."},
        {"type": "string", "description": "One of: small, medium, large."},
        {"type": ["string", "null"], "description": "Possible values: `a`, `b`"},
        {"anyOf": [TEXT, {"type": "null"}], "description": "Must be 'on' or 'off'."},
    ],
)
def test_choices_that_stand_in_words_belong_into_an_enum(schema: dict[str, Any]) -> None:
    """However they are listed."""
    assert "TF307" in codes(defined("", choice=schema))


@pytest.mark.parametrize(
    "text",
    [
        "A city such as 'Paris' or 'Rome'.",
        "In the format 'City, State', such as 'New York, NY'.",
        "Can be 'a', 'b', etc.",
        "A comma separated list; options: a, b, c.",
        "Must be one of the orders that the user has made.",
    ],
)
def test_examples_and_sentences_are_no_choices(text: str) -> None:
    """A list that is open is left alone."""
    assert "TF307" not in codes(defined("", choice={**TEXT, "description": text}))


def test_a_bound_that_is_there_is_seen_in_every_alternative() -> None:
    """An optional number of pydantic has its bounds inside of anyOf."""
    bounded = {"type": "integer", "minimum": 1, "maximum": 9}
    limit = {"anyOf": [bounded, {"type": "null"}], "default": None, "description": "How many."}

    assert {"TF303", "TF311"}.isdisjoint(codes(defined("", limit=limit)))


def test_the_mend_of_a_number_names_the_bounds_that_it_lacks() -> None:
    """Those that it has are not told again."""
    latitude = {"type": "number", "description": "Degrees.", "minimum": -90}

    [finding] = [one for one in lint([defined("", latitude=latitude)]) if one.code == "TF303"]

    assert finding.mend == "add maximum: 90"


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("user_id", "The user whose orders are listed."),
        ("user_id", "The recipient."),
        ("page_token", "Where the next page begins."),
        ("token", "The token of the next page."),
        ("token", "The coin's symbol."),
    ],
)
def test_other_people_and_other_tokens_are_no_identity(name: str, text: str) -> None:
    """Who is chosen by the model may be a parameter."""
    found = codes(defined("", **{name: {**TEXT, "description": text}}))

    assert {"TF309", "TF310"}.isdisjoint(found)


def test_a_tool_about_users_may_take_a_user() -> None:
    """There the user is the object."""
    parameters = {"properties": {"user_id": {**TEXT, "description": "The user's id."}}}

    assert "TF310" not in codes(Definition(name="users_get", parameters=parameters))


@pytest.mark.parametrize(
    ("schema", "fits"),
    [
        ({"type": "integer", "default": 1.0}, True),
        ({"type": "integer", "default": True}, False),
        ({"type": "string", "default": None}, False),
        ({"type": ["string", "null"], "default": None}, True),
        ({"enum": ["a", 1], "default": 1}, True),
        ({"enum": ["a", 1], "default": True}, False),
        ({"type": "string", "examples": ["a", 2]}, False),
        ({"default": "anything"}, True),
    ],
)
def test_a_default_has_to_fit_its_schema(schema: dict[str, Any], *, fits: bool) -> None:
    """By type and by choice."""
    assert ("TF311" not in codes(defined("", value=schema))) is fits


def test_an_example_is_judged_by_the_whole_schema() -> None:
    """The problem names what does not fit."""
    schema = {"properties": {"id": {"type": "string", "maxLength": 2}}, "required": ["id"]}
    definition = Definition(name="orders_get", parameters=schema, examples=({"id": "A7"}, {}))

    [finding] = [one for one in lint([definition]) if one.code == "TF311"]

    assert finding.place == "examples[1]"
    assert "id" in finding.problem


def test_a_definition_of_which_nobody_told_the_effect_is_not_judged_by_it() -> None:
    """Most that people have say nothing of it."""
    assert {"TF401", "TF402"}.isdisjoint(codes(Definition(name="orders_delete")))


@pytest.mark.parametrize("effect", [EffectClass.WRITE, EffectClass.DESTRUCTIVE])
def test_a_write_without_permissions_is_found(effect: EffectClass) -> None:
    """Whether it can be put right or not."""
    definition = Definition(name="orders_put", effect=effect, permissions=frozenset())

    assert "TF401" in codes(definition)
