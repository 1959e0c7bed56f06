"""The published JSON Schemas: valid, up to date, and true of what verbs return and commands write."""

import copy
import importlib.util
import json
from functools import cache
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

import curvewise as cw

DOCS = Path(__file__).resolve().parents[2] / "docs"
FILES = sorted((DOCS / "schemas").glob("*.json"))
SPEC = importlib.util.spec_from_file_location("make_schemas", DOCS / "make_schemas.py")
make = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(make)
pytestmark = pytest.mark.xdist_group("schemas")  # every result is made once


@cache
def published(name):
    return json.loads((DOCS / "schemas" / f"{name.removeprefix('curvewise.')}.json").read_text("utf-8"))


def problems(data, name):
    errors = Draft202012Validator(published(name)).iter_errors(data)
    return [f"{e.json_path}: {e.message[:300]}" for e in errors]


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_schema_is_valid_and_says_what_it_is_of(file):
    schema = json.loads(file.read_text("utf-8"))
    Draft202012Validator.check_schema(schema)
    assert schema["$id"] == f"urn:curvewise:schema:{file.stem}:1"
    assert {"schema", "version"} <= set(schema["required"])
    if file.stem != "results":
        assert schema["properties"]["version"] == {"const": 1}
        assert schema["properties"]["schema"] == {"const": f"curvewise.{file.stem}"}


@pytest.mark.slow
def test_the_files_are_those_that_the_classes_and_commands_have_now():
    schemas = make.schemas()
    assert {file.name for file in FILES} == set(schemas)
    stale = [file.name for file in FILES if file.read_text("utf-8") != make.text_of(schemas[file.name])]
    assert not stale, "make schemas writes them again; a key that went or changed needs a new version"


def test_commands_and_results_have_names_of_their_own():
    names = [published(file.stem)["properties"]["schema"].get("const") for file in FILES]
    results = published("results")["properties"]["schema"]["enum"]
    assert len(set(results)) == len(results) == len(make.kinds())
    assert {name for name in names if name and not name.startswith("curvewise.command.")} == {
        f"curvewise.{name}" for name in make.ALONE
    }


@pytest.mark.parametrize("kind", make.kinds(), ids=lambda kind: kind.__name__)
def test_every_result_is_as_its_schema_says(kind):
    for value in make.results().get(kind, [])[:60]:
        assert problems(value.to_dict(), "results") == []


@pytest.mark.parametrize("run", [run for runs in make.COMMANDS.values() for run in runs])
def test_what_a_command_writes_is_as_its_schema_says(run):
    found = make.output_of(run)
    assert problems(found, found["schema"]) == []


def test_every_command_that_writes_json_has_a_schema():
    from curvewise.cli.app import COMMANDS, find_command

    writes = {name for name in COMMANDS if "json" in formats(find_command(name))}
    assert writes == {run.split()[0] for runs in make.COMMANDS.values() for run in runs}


def formats(command):
    return [str(c) for p in command.params if p.name == "form" for c in getattr(p.type, "choices", ())]


@pytest.mark.parametrize("run", [runs[0] for runs in make.COMMANDS.values()])
def test_a_key_that_is_missing_or_has_another_name_fails(run):
    found = make.output_of(run)
    schema = published(found["schema"])
    for key in schema["required"]:
        without = {k: v for k, v in found.items() if k != key}
        assert problems_under(schema, without), key
        assert problems_under(schema, {**without, f"{key}_": found[key]}), key


def problems_under(schema, data):
    return not Draft202012Validator(schema).is_valid(data)


def test_a_result_is_held_to_the_schema_that_it_names():
    estimate = cw.interval("auc", [0, 1, 0, 1, 1, 0], [1, 2, 3, 4, 5, 2]).to_dict()
    assert problems(estimate, "results") == []
    for change in ({"value": "0.9"}, {"version": 2}, {"schema": "curvewise.sweep"}, {"schema": "curvewise.unknown"}):
        assert problems_under(published("results"), {**estimate, **change})


def test_a_value_of_another_kind_fails_deep_inside():
    found = make.output_of(make.COMMANDS["report"][0])
    for change in (
        lambda d: d["models"][0]["estimates"]["roc_auc"].update(value="0.9"),
        lambda d: d["models"][0]["estimates"]["roc_auc"].pop("low"),
        lambda d: d["models"][0].pop("sweep"),
        lambda d: d["verdicts"][0]["answers"][0].pop("code"),
        lambda d: d.update(version=2),
        lambda d: d["groups"][0]["groups"][0].pop("metrics"),
    ):
        changed = copy.deepcopy(found)
        change(changed)
        assert problems_under(published("curvewise.evaluation"), changed)
