"""Write docs/schemas: one JSON Schema of every ``to_dict``, and one for each document that programs meet most.

``results.json`` has a definition of every class of results and accepts whatever ``to_dict`` returns. What a command
writes with ``--format json``, an evaluation, a sweep and a recalibration have a file each, complete in itself.

Where a result's dict is its fields, the schema is read from their types. Where a class arranges the dict itself, and
of commands, names and types are read from real output: of every verb (``tests/results/test_results.py``) and of the
commands below, on shipped data. A key that was always there is required.
"""

from __future__ import annotations

import dataclasses
import importlib
import inspect
import json
import pkgutil
import re
import runpy
import subprocess
import sys
import types
import typing
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cache
from importlib.resources import files
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from jsonschema import Draft202012Validator

import curvewise as cw
from curvewise.results.numbers import json_safe
from curvewise.results.result import Result

DOCS = Path(__file__).parent
FOLDER = DOCS / "schemas"
MADE = DOCS.parent / "tests" / "results" / "test_results.py"
HEAD = ("schema", "version")
# commands that write a heading and one result, or that result alone
ONE = {"detect": "detection_evaluation", "report": "evaluation", "table": "diagnostic_table"}
ALONE = ("evaluation", "recalibration", "sweep")  # what is saved and read back
SHARED: dict[str, dict[str, Any]] = {
    "number": {
        "description": "A number; null where it is undefined.",
        "anyOf": [{"type": ["number", "null"]}, {"enum": ["inf", "-inf"]}],
    },
    "note": {
        "description": "What a careful reader should know: a code that stays, its values, the English sentence.",
        "type": "object",
        "required": ["code", "values", "text"],
        "properties": {"code": {"type": "string"}, "values": {"type": "object"}, "text": {"type": "string"}},
    },
}
NUMBER, NOTE = {"$ref": "#/$defs/number"}, {"$ref": "#/$defs/note"}
TEXT = {"type": ["null", "string"]}
# keys are names that came with the data or the options, so that none is required
BY_NAME = {"options", "data", "values"}
BY_NAME_ALIKE = {"comparisons", "gaps", "numbers"}  # and under every name stands the same kind of thing
# what may be null in every output that is read here
NULLABLE: dict[str, dict[str, Any]] = {
    **dict.fromkeys(("value", "low", "high", "standard_error", "negatives", "round_to"), NUMBER),
    **dict.fromkeys(("calibration_slope", "calibration_slope_low", "calibration_slope_high"), NUMBER),
    **dict.fromkeys(("method", "undefined", "why_not_probability", "censoring", "rule"), TEXT),
    **dict.fromkeys(("weight", "cluster", "stratum"), TEXT),
    "replicates": {"type": ["integer", "null"]},
    "reason": {"anyOf": [NOTE, {"type": "null"}]},
    "baseline": {"anyOf": [{"$ref": "#/$defs/then_and_now"}, {"type": "null"}]},
}
SCORES = "--label disease --score model_a --score model_b"
TRIAL = "trial.csv --time days --event dead --score risk_a --score risk_b --horizon 365 --horizon 1095"
QUICK = "--replicates 50"
PETS = "--label pet --score p_cat --score p_dog --score p_owl"  # of what stands below, from standard input
PETS_ROWS = "pet,p_cat,p_dog,p_owl\n" + 4 * (
    "cat,0.8,0.1,0.1\ndog,0.3,0.6,0.1\nowl,0.2,0.2,0.6\ncat,0.5,0.3,0.2\nowl,0.4,0.1,0.5\ndog,0.5,0.4,0.1\n"
)
COMMANDS = {
    "metrics": [
        f"metrics screening.csv {SCORES} {QUICK}",
        f"metrics screening.csv {SCORES} --threshold 0.05 --prevalence 0.01 --no-intervals",
        "metrics breast_cancer.csv --label malignant --score logistic --fail-under auc=0.9",
    ],
    "compare": [
        f"compare screening.csv {SCORES} --cluster patient",
        "compare breast_cancer.csv --label malignant --score logistic --score forest --score one_feature",
    ],
    "operate": [
        f"operate screening.csv {SCORES} --rule max-fpr --at 0.05 {QUICK}",
        f"operate screening.csv --label disease --score model_b --rule min-cost --fp 1 --fn 10 {QUICK}",
    ],
    "calibrate": [
        f"calibrate screening.csv --label disease --score model_b {QUICK}",
        f"calibrate screening.csv {SCORES} {QUICK}",
    ],
    "groups": [
        "groups screening.csv --label disease --score model_a --group sex --threshold 0.1",
        "groups screening.csv --label disease --score model_a --score model_b --group sex --group age_band",
    ],
    "survive": [f"survive {TRIAL}", "survive trial.csv --time days --event dead --score risk_a --horizon 365"],
    "detect": [
        f"detect traffic_truth.json traffic_detector_a.json traffic_detector_b.json {QUICK}",
        f"detect traffic_truth.json traffic_detector_a.json {QUICK}",
    ],
    "multiclass": [f"metrics - {PETS} --multiclass {QUICK}"],
    "table": [f"table screening.csv {SCORES} --threshold 0.05"],
    "report": [
        f"report screening.csv {SCORES} --group sex --site site --fp 1 --fn 10 {QUICK}",
        f"report breast_cancer.csv --label malignant --score logistic {QUICK}",
        f"report - {PETS} {QUICK}",
    ],
}


@cache
def results() -> dict[type[Result], list[Result]]:
    """Return real results of every class, from the test that prints them all."""
    found: dict[type[Result], list[Result]] = runpy.run_path(str(MADE))["results"]()
    return found


@cache
def output_of(arguments: str) -> dict[str, Any]:
    """Return the JSON that a command writes about shipped data."""
    with TemporaryDirectory() as folder:
        words = [str(files("curvewise.data") / w) if w.endswith((".csv", ".json")) else w for w in arguments.split()]
        out = Path(folder, "out.json")
        call = [sys.executable, "-m", "curvewise", *words, "-o", str(out), "--format", "json"]
        subprocess.run(call, check=True, capture_output=True, input=PETS_ROWS.encode())  # noqa: S603 - our own command
        found: dict[str, Any] = json.loads(out.read_text())
        return found


# --- from types ---


@cache
def names() -> dict[str, Any]:
    """Return every class of the package by name: what annotations may mention."""
    found: dict[str, Any] = {"Any": Any, "Mapping": Mapping, "Sequence": Sequence, "np": np}
    for module in pkgutil.walk_packages(cw.__path__, "curvewise."):
        if not module.name.endswith("__main__"):
            with suppress(ImportError):  # an extra that is not installed
                loaded = vars(importlib.import_module(module.name))
                found |= {k: v for k, v in loaded.items() if isinstance(v, type) or typing.get_origin(v) is not None}
    return found


def kinds() -> list[type[Result]]:
    """Return every class of results that has a schema."""
    names()
    found: set[type[Result]] = set()
    todo: list[type[Result]] = [Result]
    while todo:
        below = todo.pop().__subclasses__()
        todo += below
        found |= set(below)
    found -= {k for k in found if k.__module__.startswith("curvewise.cli")}  # parts of what commands write
    named = [k for k in found if "schema" in vars(k)]  # not bases: only classes below them are returned
    # a saved evaluation is written as the evaluation that it was
    return sorted((k for k in named if k.__name__ != "SavedEvaluation"), key=lambda k: k.schema)


def hints(kind: type) -> dict[str, Any]:
    """Return the types of a class's fields and properties; Any where a name is not known."""
    found: dict[str, Any] = {}
    for base in reversed(kind.__mro__):
        space = {**names(), **vars(sys.modules.get(base.__module__, types))}
        own = dict(inspect.get_annotations(base))
        own |= {
            k: v.fget.__annotations__.get("return", Any)
            for k, v in vars(base).items()
            if isinstance(v, property) and v.fget is not None
        }
        for name, annotation in own.items():
            try:
                found[name] = eval(annotation, space) if isinstance(annotation, str) else annotation  # noqa: S307
            except (NameError, TypeError, AttributeError):
                found[name] = Any
    return found


def typed(kind: Any) -> dict[str, Any]:
    """Return the schema of a type after `json_safe`; an empty one where the type says nothing."""
    origin, inner = typing.get_origin(kind), typing.get_args(kind)
    if kind is None or kind is type(None):
        return {"type": "null"}
    if kind is bool:
        return {"type": "boolean"}
    if kind in (int, str):
        return {"type": {int: "integer", str: "string"}[kind]}
    if kind is float:
        return NUMBER
    if origin is typing.Literal:
        return {"enum": list(inner)}
    if origin in (typing.Union, types.UnionType):
        return union([typed(k) for k in inner])
    if origin is np.ndarray or kind is np.ndarray:
        return {"type": "array"}
    if origin in (list, set, frozenset, Sequence) or (origin is tuple and inner[-1:] == (...,)):
        return {"type": "array", "items": typed(inner[0])}
    if origin is tuple:
        return {"type": "array", "prefixItems": [typed(k) for k in inner], "minItems": len(inner), "items": False}
    if origin in (dict, Mapping):
        return {"type": "object", "additionalProperties": typed(inner[1])}
    if isinstance(kind, type):
        if issubclass(kind, cw.Note):
            return NOTE
        if issubclass(kind, Result) and kind in set(kinds()):
            return {"$ref": f"#/$defs/{short(kind)}"}
        if dataclasses.is_dataclass(kind) and not hasattr(kind, "content") and not hasattr(kind, "to_dict"):
            types_of = hints(kind)
            return whole({f.name: typed(types_of.get(f.name, Any)) for f in dataclasses.fields(kind) if f.repr})
    return {}


def union(schemas: list[dict[str, Any]]) -> dict[str, Any]:
    """Return a schema of any of these; the simplest of those that say the same."""
    distinct = [s for k, s in enumerate(schemas) if s not in schemas[:k]]
    if {} in distinct:
        return {}
    if NUMBER in distinct:  # it allows null, integers and what is infinite
        plain = ({"type": "null"}, {"type": "integer"})
        distinct = [s for s in distinct if s not in plain]
    if all(list(s) == ["type"] and isinstance(s["type"], str) for s in distinct) and len(distinct) > 1:
        return {"type": sorted(s["type"] for s in distinct)}
    return distinct[0] if len(distinct) == 1 else {"anyOf": distinct}


def whole(properties: dict[str, Any], required: list[str] | None = None) -> dict[str, Any]:
    """Return the schema of an object; further keys may be added without a new version."""
    return {
        "type": "object",
        "required": list(properties) if required is None else required,
        "properties": properties,
    }


# --- from real output ---


def inferred(values: list[Any], key: str = "") -> dict[str, Any]:
    """Return the schema of all these JSON values."""
    found: list[dict[str, Any]] = []
    if all(v is None for v in values):  # it may be something elsewhere
        return NULLABLE.get(key, {}) if values else {}
    if any(v is None for v in values):
        found.append({"type": "null"})
    if any(isinstance(v, bool) for v in values):
        found.append({"type": "boolean"})
    if any(isinstance(v, (int, float)) and not isinstance(v, bool) for v in values):
        found.append(NUMBER)  # what is whole or defined in one output need not be in the next
    if any(isinstance(v, str) for v in values):
        texts = {v for v in values if isinstance(v, str)}
        found.append(NUMBER if texts <= {"inf", "-inf"} else {"type": "string"})
    lists = [v for v in values if isinstance(v, list)]
    if lists:
        items = union([NOTE, {"type": "string"}]) if key == "notes" else inferred([item for v in lists for item in v])
        found.append({"type": "array", **({"items": items} if items else {})})
    dicts = [v for v in values if isinstance(v, dict)]
    if dicts:
        found.append(inferred_object(dicts, key))
    return union(found) if found else {}


def inferred_object(dicts: list[dict[str, Any]], key: str) -> dict[str, Any]:
    """Return the schema of JSON objects: a known one, one by names of the data, or one with the keys found."""
    if all(set(d) == {"code", "values", "text"} for d in dicts):
        return NOTE
    if key in BY_NAME:
        return {"type": "object"}
    schemas = {d.get("schema") for d in dicts}
    if len(schemas) == 1 and (first := dicts[0].get("schema")) in {k.schema for k in kinds()}:
        head = {k: {"const": dicts[0][k]} for k in HEAD}
        return {"$ref": f"#/$defs/{first.removeprefix('curvewise.')}", **whole(head)}
    known = {by_keys().get(frozenset(d)) for d in dicts}
    if len(known) == 1 and (name := next(iter(known))) is not None:
        return {"$ref": f"#/$defs/{name}"}
    # without those named after a column or a group of the data
    every = [k for k in dict.fromkeys(k for d in dicts for k in d) if not k.startswith(("negatives of ", "gaps of "))]
    always = [k for k in every if all(k in d for d in dicts)]
    properties = {k: inferred([d[k] for d in dicts if k in d], k) for k in every}
    of_objects = all(isinstance(v, (dict, list)) for d in dicts for v in d.values())
    alike = key in BY_NAME_ALIKE or len({json.dumps(s) for s in properties.values()}) == 1
    if not always or (of_objects and alike and (len(every) > 1 or key in BY_NAME_ALIKE)):
        return {"type": "object", "additionalProperties": inferred([v for d in dicts for v in d.values()])}
    return whole(properties, always)


@cache
def by_keys() -> dict[frozenset[str], str]:
    """Return the classes that are recognised by the keys of their dicts, if no other class has the same ones."""
    found: dict[frozenset[str], set[str]] = {}
    for kind, many in results().items():
        for keys in {frozenset(v.content()) for v in many[:20]}:
            if len(keys) >= 4 and kind in set(kinds()):
                found.setdefault(keys, set()).add(short(kind))
    return {keys: next(iter(of)) for keys, of in found.items() if len(of) == 1}


# --- files ---


def short(kind: type[Result]) -> str:
    """Return the name of a schema without the package."""
    return kind.schema.removeprefix("curvewise.")


@cache
def samples_of(kind: type[Result]) -> list[dict[str, Any]]:
    """Return real contents of a class."""
    found = [v.content() for v in results().get(kind, [])[:60]]
    for command in [c for c in ONE if kind in kinds_of(c)]:
        found += [{k: v for k, v in output_of(run).items() if k in found[0]} for run in COMMANDS[command]]
    return found


def kinds_of(command: str) -> list[type[Result]]:
    """Return the class of the result that a command writes whole, if it does."""
    return [k for k in kinds() if short(k) == ONE.get(command)]


@cache
def keys_of(kind: type[Result]) -> tuple[list[str], list[str]]:
    """Return the keys of a class's content, and those that are always there."""
    if kind.content is Result.content:
        fields = [f.name for f in dataclasses.fields(kind) if f.repr]
        return fields, fields
    samples = samples_of(kind)
    fields = list(dict.fromkeys(k for s in samples for k in s))
    return fields, [k for k in fields if all(k in s for s in samples)]


@cache
def content_of(kind: type[Result]) -> dict[str, Any]:
    """Return the schema of ``content()`` of a class."""
    samples, types_of = samples_of(kind), hints(kind)
    fields, always = keys_of(kind)
    properties = {k: of_field(typed(types_of.get(k, Any)), [s[k] for s in samples if k in s], k) for k in fields}
    said = (inspect.getdoc(kind) or "").split("\n\n", maxsplit=1)[0].replace("\n", " ")
    return {"description": said.replace("``", "").replace("`", ""), **whole(properties, always)}


def of_field(stated: dict[str, Any], samples: list[Any], key: str) -> dict[str, Any]:
    """Return what the type says, where it says something and is true of real output; else what that output shows."""
    if key == "rule" and {type(v) for v in samples} <= {str}:
        return NULLABLE[key]  # of many classes there is none
    vague = stated == {"type": "array"} or not stated
    if samples and (vague or not all(roughly(stated, v) for v in samples)):
        return inferred(samples, key)
    return stated


def roughly(schema: dict[str, Any], value: Any) -> bool:
    """Say whether a value has the kind that a schema wants, and results within it their keys."""
    return Draft202012Validator({**schema, "$defs": {**outlines(), **SHARED}}).is_valid(value)


@cache
def outlines() -> dict[str, Any]:
    """Return every class of results as an object with its keys, whatever they hold."""
    return {short(k): {"type": "object", "required": keys_of(k)[1]} for k in kinds()}


def with_definitions(schema: dict[str, Any]) -> dict[str, Any]:
    """Add the definitions that a schema refers to, and those that they refer to."""
    of = {short(k): k for k in kinds()}
    needed: dict[str, Any] = {}
    todo = [schema]
    while todo:
        for name in re.findall(r'"#/\$defs/(\w+)"', json.dumps(todo.pop())):
            if name not in needed:
                needed[name] = SHARED[name] if name in SHARED else content_of(of[name])
                todo.append(needed[name])
    return {**schema, "$defs": dict(sorted(needed.items()))} if needed else schema


def headed(name: str, version: int, body: dict[str, Any]) -> dict[str, Any]:
    """Return a schema as it is published: what it is of, and that a document says so itself."""
    head = {"schema": {"const": f"curvewise.{name}"}, "version": {"const": version}}
    return with_definitions(
        {
            **titled(name, version),
            **body,
            "required": [*HEAD, *(k for k in body["required"] if k not in head)],
            "properties": {**head, **{k: v for k, v in body["properties"].items() if k not in head}},
        }
    )


def titled(name: str, version: int) -> dict[str, str]:
    """Return how every file begins."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"urn:curvewise:schema:{name}:{version}",
        "title": f"curvewise.{name}, version {version}",
    }


def every_result() -> dict[str, Any]:
    """Return the schema of whatever ``to_dict`` returns: each class is a definition, chosen by what it says it is."""
    definitions = {short(k): content_of(k) for k in kinds()}
    choices = [
        {
            "if": {"properties": {"schema": {"const": k.schema}}},
            "then": {"properties": {"version": {"const": k.version}}, "$ref": f"#/$defs/{short(k)}"},
        }
        for k in kinds()
    ]
    return {
        **titled("results", 1),
        "description": "What to_dict() of any result returns.",
        **whole({"schema": {"enum": [k.schema for k in kinds()]}, "version": {"type": "integer"}}),
        "allOf": choices,
        "$defs": dict(sorted({**SHARED, **definitions}.items())),
    }


def schemas() -> dict[str, dict[str, Any]]:
    """Return every schema by the name of its file."""
    found = {"results": every_result()}
    found |= {short(k): headed(short(k), k.version, content_of(k)) for k in kinds() if short(k) in ALONE}
    for command, runs in COMMANDS.items():
        if command != "report":  # it writes the evaluation itself
            outputs = [output_of(run) for run in runs]
            body = inferred_object([{k: v for k, v in o.items() if k != "schema"} for o in outputs], "")
            for kind in kinds_of(command):
                body["properties"] |= content_of(kind)["properties"]
            description = f"What curvewise {runs[0].split()[0]} --format json writes."
            name, body = f"command.{command}", {"description": description, **body}
            found[name] = headed(name, outputs[0]["version"], body)
    return {f"{name}.json": schema for name, schema in found.items()}


def text_of(schema: dict[str, Any]) -> str:
    """Return a schema as it stands in its file."""
    return json.dumps(json_safe(schema), indent=1, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    made = schemas()
    FOLDER.mkdir(exist_ok=True)
    for stale in set(FOLDER.glob("*.json")) - {FOLDER / name for name in made}:
        stale.unlink()
    for file, schema in made.items():
        (FOLDER / file).write_text(text_of(schema), encoding="utf-8")
    print(f"{len(made)} schemas in {FOLDER}")  # noqa: T201 - a script that says what it wrote
