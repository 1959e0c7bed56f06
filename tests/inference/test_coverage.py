"""Coverage and size, counted by `make coverage` and kept in simulations/coverage.json."""

import importlib.util
import json
import math
import sys
from pathlib import Path

import numpy as np
import pytest

import curvewise as cw
from curvewise.metric.log_odds import log_odds
from curvewise.metric.registry import every

ROOT = Path(__file__).parents[2]
KEPT = json.loads((ROOT / "simulations" / "coverage.json").read_text("utf-8"))["cells"]
COVERED = [c for c in KEPT if "covered" in c and "method" not in c["subject"] and c["runs"]]
REJECTED = [c for c in KEPT if "rejected" in c]


def load(path):
    sys.path.insert(0, str(path.parent))  # a script finds its neighbours
    try:
        spec = importlib.util.spec_from_file_location(f"{path.stem}_script", path)
        module = importlib.util.module_from_spec(spec)
        sys.modules[spec.name] = module  # dataclasses look their module up
        spec.loader.exec_module(module)
        return module
    finally:
        sys.path.remove(str(path.parent))


@pytest.fixture(scope="module")
def script():
    return load(ROOT / "simulations" / "coverage.py")


@pytest.fixture(scope="module")
def document():
    return load(ROOT / "docs" / "make_coverage.py")


def share(cell):
    return cell.get("covered", cell.get("rejected")) / cell["runs"]


def slack(cell, level=0.95, errors=3):
    return errors * math.sqrt(level * (1 - level) / cell["runs"])


def is_enough(cell):
    return cell["rare"] is None or cell["rare"] >= 10


def test_every_cell_is_kept(script):
    assert [(c["subject"], c["study"]) for c in KEPT] == [(c.subject, c.study) for c in script.cells()]


METRICS = sorted({c["subject"] for c in COVERED if " " not in c["subject"]})  # others are of whole verbs


def test_every_metric_with_an_interval_was_tried():
    assert set(METRICS) == {m.name for m in every() if m.interval != "none"}


@pytest.mark.parametrize("name", METRICS)
def test_the_default_interval_holds_on_average(name):
    cells = [c for c in COVERED if c["subject"] == name and is_enough(c)]
    mean, runs = sum(map(share, cells)) / len(cells), {"runs": sum(c["runs"] for c in cells)}
    assert 0.93 - slack(runs, errors=2) <= mean <= 0.985 + slack(runs, 0.985, 2)


def test_nearly_every_setting_is_within_the_limits():
    enough = [c for c in COVERED if is_enough(c)]
    outside = [c for c in enough if not 0.93 - slack(c, errors=2) <= share(c) <= 0.985 + slack(c, 0.985, 2)]
    assert len(outside) <= 0.06 * len(enough)
    assert all(share(c) >= 0.85 - slack(c) for c in enough)


def test_few_rows_hold_too():
    few = [c for c in COVERED if not is_enough(c)]
    assert few
    assert all(share(c) >= 0.90 - slack(c, 0.9) for c in few)


def test_tests_keep_their_size():
    assert REJECTED
    for c in REJECTED:
        assert share(c) <= 0.065 + slack(c, 0.05), c
    means = {name: [share(c) for c in REJECTED if c["subject"] == name] for name in {c["subject"] for c in REJECTED}}
    assert all(sum(m) / len(m) >= 0.01 for m in means.values())


def test_wald_fails_where_the_default_does_not():
    wald = next(c for c in KEPT if "delong-wald" in c["subject"])
    default = next(c for c in COVERED if c["subject"] == "roc_auc" and c["study"] == wald["study"])
    assert share(wald) < 0.5
    assert share(default) > 0.93


def test_what_is_outside_is_explained_on_the_page(document):
    found = json.loads((ROOT / "simulations" / "coverage.json").read_text("utf-8"))
    assert document.PAGE.read_text("utf-8") == document.page(found)


QUICK = ("roc_auc", "average_precision", "recall", "brier_loss", "f1")
QUICK += ("roc_auc against a value", "roc_auc of two models")


@pytest.mark.parametrize("name", QUICK)
def test_kept_counts_are_made_by_this_code(script, name):
    """The first runs of some cells, once more: the same counts, or the file is out of date."""
    places = [k for k, c in enumerate(KEPT) if c["subject"] == name]
    for k in {places[0], places[len(places) // 2], places[-1]}:
        assert script.count(k, script.FIRST)["first"] == KEPT[k]["first"]


@pytest.mark.parametrize("family", ["gamma", "beta", "hidden subgroup", "rounded log-normal", "skew-t", "5 ratings"])
def test_populations_are_what_is_drawn_from_them(script, family):
    """A large study has the AUC of its population, and probabilities that are right, or too extreme by the slope."""
    study = script.Study(family, 0.8, 40_000, 0.3)
    y, score, _ = study.draw(np.random.default_rng(1))
    assert cw.roc_auc(y, score) == pytest.approx(0.8, abs=0.008)
    fit = cw.calibration(y, study.population.probability(score), replicates=0)
    assert fit.observed_expected.value == pytest.approx(1, abs=0.02)
    wrong = script.Study(family, 0.8, 40_000, 0.3, slope=2.0)
    right, extreme = (s.population.probability(score).clip(1e-6, 1 - 1e-6) for s in (study, wrong))
    middle = (extreme > 1e-5) & (extreme < 1 - 1e-5)
    assert log_odds(extreme[middle]) == pytest.approx(2 * log_odds(right[middle]))


def test_unequal_clusters_differ_in_size_and_in_prevalence(script):
    study = script.Study("normal", 0.8, 2000, 0.3, clusters=20, icc=0.3, unequal=True)
    y, _, more = study.draw(np.random.default_rng(0))
    size, positives = np.bincount(more["cluster"]), np.bincount(more["cluster"], y)
    assert size.max() > 4 * size.min()
    assert np.std(positives / size) > 0.1
    assert "20 unequal clusters" in study.name
