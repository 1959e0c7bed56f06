"""Scores at the ends of what numbers can be, and frames that are not in order: a report, or one sentence."""

from __future__ import annotations

import json
import re

import numpy as np
import pandas as pd
import polars as pl
import pytest

import curvewise as cw
from curvewise.evaluation.shown import detailed, shown_pairs
from curvewise.figures.style import COLOURS, DASHES, MARKERS
from curvewise.pages.scores.summary import LISTED

RNG = np.random.default_rng(0)
Y = np.repeat([1, 0], [20, 30])
S = RNG.random(50) + 0.3 * Y
SIGN = np.where(Y == 1, 1.0, -1.0)
SCORES = {
    "one infinite score": np.full(50, np.inf),
    "infinities alone": SIGN * np.inf,
    "a range beyond float64": SIGN * 1.2e308 * S,
    "near the greatest float64": 1.3e308 * S,
    "near the least float64": -1.3e308 * S,
    "subnormal probabilities": S * 1e-310,
    "long doubles": S.astype(np.longdouble),
    "long doubles beyond float64": S.astype(np.longdouble) * np.longdouble("1e3000"),
}


@pytest.mark.parametrize("kind", SCORES)
def test_a_report_of_extreme_scores(tmp_path, kind):
    scores = SCORES[kind]
    found = cw.evaluate({"y": Y, "s": scores}, label="y", scores="s", replicates=20)
    assert cw.roc_auc(found.models["s"].sweep) == cw.roc_auc(Y, scores)
    path = tmp_path / "r.html"
    found.report(path)
    assert path.stat().st_size > 10_000
    json.loads(json.dumps(found.to_dict(), allow_nan=False))


@pytest.mark.slow
def test_fifty_models_make_a_page_below_a_megabyte(tmp_path):
    rng = np.random.default_rng(4)
    y = rng.integers(0, 2, 2000)
    names = [f"model number {k}, with all the settings it was trained by: rate 0.001, seed {k}" for k in range(50)]
    models = {name: 1 / (1 + np.exp(k / 10 * rng.normal(size=2000) - y)) for k, name in enumerate(names)}
    data = {"y": y, "g": rng.choice(["a", "b", "c"], 2000), "s": rng.choice(["n", "e", "w"], 2000), **models}
    found = cw.evaluate(data, label="y", scores=names, group="g", site="s", replicates=20)
    found.report(tmp_path / "r.html")
    assert (tmp_path / "r.html").stat().st_size < 1_000_000


FRAME = pl.DataFrame({"y": Y, "s": S})
FRAMES = {
    "a repeated column": (pd.concat([pd.DataFrame({"y": Y, "s": S})] * 2, axis=1), "columns of different names"),
    "a lazy frame without the column": (FRAME.lazy().rename({"s": "q"}), "there is no column 's'"),
    "a lazy frame that cannot be made": (FRAME.lazy().select("nope"), 'unable to find column "nope"'),
}


@pytest.mark.parametrize("kind", FRAMES)
def test_frames_that_are_refused(kind):
    frame, words = FRAMES[kind]
    with pytest.raises(cw.CurvewiseError, match=re.escape(words)) as trouble:
        cw.evaluate(frame, label="y", scores="s")
    assert "\n" not in str(trouble.value)


def test_a_view_of_bytes_is_no_label():
    with pytest.raises(cw.CurvewiseError, match="positive: expected one label"):
        cw.roc_auc(Y, S, positive=memoryview(b"ab"))


def test_a_masked_prevalence_is_no_number():
    with pytest.raises(cw.CurvewiseError, match="prevalence: expected a number"):
        cw.ppv_npv(Y, S, 0.5, prevalence=np.ma.masked_array([0.1, 0.2], [True, False]))


def test_thresholds_between_long_integers_are_exact():
    from fractions import Fraction

    sweep = cw.sweep([1, 0, 1], np.array([2**60 + 1, 2**60 + 1, 2**60 + 2]))
    assert [sweep.at(Fraction(2**61 + k, 2)).tp for k in (1, 2, 3, 4, 5)] == [2, 2, 1, 1, 0]


def test_differences_of_many_models_are_drawn_for_those_of_the_table(tmp_path):
    """The most promising pairs, not the first ones of all: the figure says what the table beside it says."""
    rng = np.random.default_rng(5)
    y = np.arange(300) % 2
    models = {f"m{k}": y * k / 2 + rng.normal(size=300) for k in range(8)}
    found = cw.evaluate({"y": y, **models}, label="y", scores=list(models), replicates=4)
    found.report(tmp_path / "r.html")
    page = (tmp_path / "r.html").read_text("utf-8")
    section = page[page.index('<section id="comparison"') :]
    figure = section[section.index("<svg") : section.index("</svg>")]
    best = {m.name for m in detailed(found)}
    assert len(best) == 4
    assert {name for name in models if re.search(rf"\b{name}\b", figure)} == best
    pairs = shown_pairs(found, found.comparisons["roc_auc"]).pairs
    a, b, c, d = (m.name for m in detailed(found))
    assert [{p.first, p.second} for p in pairs] == [{a, b}, {a, c}, {a, d}, {b, c}, {b, d}, {c, d}]


def test_switches_have_as_many_colours_as_figures():
    assert len(COLOURS) == LISTED == len(DASHES) == len(MARKERS)
