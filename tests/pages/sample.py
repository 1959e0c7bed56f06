"""Evaluations of the shipped screening data: whole, of one model, of many classes, with hostile names."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from importlib.resources import files

import numpy as np
import polars as pl

import curvewise as cw
from curvewise.pages.scores.drawings import drawings as draw

SCREENING = str(files("curvewise.data") / "screening.csv")
COSTS = {"fp": 1.0, "fn": 10.0, "tp": 0.0, "tn": 0.0}
HOSTILE = {
    "script": "</script><script>alert(1)</script>",
    "image": "<img src=x onerror=alert(1)>",
    "quotes": "\"'><svg/onload=alert(1)>",
    "bidi": "abc\u202egnp.exe\u202c",
    "control": "a\x1b[31m\x00\x07b\u2028c",
    "long": "very_long_" * 40,
    "formula": "=cmd|' /C calc'!A0",
    "braces": "{model} {0} {{7*7}} {% raw %}",
    "math": "$\\frac{1}{2$ $x^",
    "rtl": "\u05de\u05d5\u05d3\u05dc",
    "surrogate": "x\ud800y",
    "style": '" style="background:url(//x.test)"',
}


@cache
def frame():
    return pl.read_csv(SCREENING)


@cache
def screening():
    """Return three models, one of which gives no probabilities, with groups, sites and costs."""
    found = cw.evaluate(
        SCREENING,
        label="disease",
        scores=["model_a", "model_b", "rating"],
        group="sex",
        site="site",
        costs=COSTS,
        prevalence=0.02,
        replicates=20,
    )
    return replace(found, command="curvewise report screening.csv --label disease --score model_a")


@cache
def one_model():
    """Return one model and little else."""
    return cw.evaluate(frame(), label="disease", scores="model_a", replicates=20)


@cache
def many_classes():
    """Return a model of three classes."""
    rng = np.random.default_rng(1)
    proba = rng.dirichlet([1, 1, 1], 200)
    data = {"y": rng.choice(["cat", "dog", "owl"], 200)}
    data |= {name: proba[:, k] for k, name in enumerate(["cat", "dog", "owl"])}
    return cw.evaluate(data, label="y", scores=["cat", "dog", "owl"], replicates=20)


@cache
def no_choice():
    """Return a model whose threshold no rule finds, and scores that are no probabilities."""
    rule = cw.rules.min_precision(0.999)
    return cw.evaluate(frame(), label="disease", scores="rating", rule=rule, group="sex", replicates=20)


@cache
def hostile(text):
    """Return an evaluation with a text in the place of every name that data can hold."""
    few = frame().sort("disease", descending=True).head(400)
    yes, no = f"{text} +", f"{text} -"
    data = {f"{text} {k}": few[name].to_numpy() for k, name in enumerate(("model_a", "model_b", "rating"))}
    scores = list(data)
    data[f"{text} y"] = np.where(few["disease"].to_numpy() == 1, yes, no).astype(object)
    data[text] = np.where(few["sex"].to_numpy() == "male", f"{text} m", f"{text} f").astype(object)
    data[f"{text} s"] = [f"{text} {site}" for site in few["site"]]
    found = cw.evaluate(
        data,
        label=f"{text} y",
        scores=scores,
        positive=yes,
        group=text,
        site=f"{text} s",
        costs=COSTS,
        prevalence=0.02,
        replicates=4,
    )
    origin = replace(found.origin, name=text, sha256="0" * 64)
    return replace(found, origin=origin, command=f"curvewise report {text}")


@cache
def drawings(lang="en", kind="screening"):
    """Return the figures of an evaluation by key."""
    return draw(screening() if kind == "screening" else hostile(HOSTILE[kind]), lang)
