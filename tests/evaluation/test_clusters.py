"""Rows repeated under their cluster are no new rows: every interval keeps its width."""

import math

import numpy as np
import pytest

import curvewise as cw

TIMES = 10
CLOSE = 0.15


def rows(n=1500, seed=4):
    """Return two models that give probabilities, with groups and sites."""
    rng = np.random.default_rng(seed)
    logit = rng.normal(-1, 1.2, n)
    y = (rng.random(n) < 1 / (1 + np.exp(-logit))).astype(int)
    models = {name: 1 / (1 + np.exp(-(logit + rng.normal(0, noise, n)))) for name, noise in (("a", 0.7), ("b", 1.2))}
    return {
        "y": y,
        **{name: p.round(4) for name, p in models.items()},
        "sex": rng.choice(["f", "m"], n),
        "site": rng.choice(["north", "south", "west"], n),
        "patient": np.arange(n),
    }


def widths(value, path=()):
    """Walk through a dict and return the width of every interval, by its path."""
    found = {}
    if isinstance(value, list):
        for k, part in enumerate(value):
            found |= widths(part, (*path, str(k)))
    if not isinstance(value, dict):
        return found
    pairs = [(k, k.replace("low", "high")) for k in value if k == "low" or k.endswith("_low")]
    for low, high in pairs:
        ends = [np.atleast_1d(np.array(value.get(k), dtype=float)) for k in (low, high)]
        width = np.nanmean(ends[1] - ends[0]) if np.isfinite(ends).any() else math.nan
        found[(*path, low)] = float(width)
    if value.get("threshold_interval"):
        low, high = value["threshold_interval"]
        found[(*path, "threshold_interval")] = high - low
    for key, part in value.items():
        if key != "notes":
            found |= widths(part, (*path, str(key)))
    return found


@pytest.fixture(scope="module")
def both():
    data = rows()
    repeated = {name: np.repeat(values, TIMES) for name, values in data.items()}
    options = {"label": "y", "scores": ["a", "b"], "group": "sex", "site": "site", "replicates": 500}
    return tuple(cw.evaluate(d, cluster="patient", **options) for d in (data, repeated))


def test_every_interval_keeps_its_width(both):
    once, often = (widths(found.to_dict()) for found in both)
    defined = {path: width for path, width in once.items() if width > 1e-9}
    assert len(defined) > 100
    wrong = {
        "/".join(path): round(often[path] / width, 3)
        for path, width in defined.items()
        if abs(often[path] / width - 1) > CLOSE
    }
    assert not wrong


def test_values_do_not_move(both):
    once, often = (found.metrics() for found in both)
    for name, value in once.items():
        if name.endswith(".ici"):
            continue  # the bandwidth of its smooth curve follows the number of rows
        assert math.isclose(often[name], value, rel_tol=1e-6, abs_tol=1e-9), name


def test_bands_are_there_and_keep_their_width(both):
    once, often = (found.models["a"].band for found in both)
    assert np.mean(often.high - often.low) == pytest.approx(np.mean(once.high - once.low), rel=CLOSE)
