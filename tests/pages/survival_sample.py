"""Censored outcomes for tests of the page: two models, probabilities at two horizons, groups and sites."""

from functools import cache

import numpy as np

import curvewise as cw

HORIZONS = (365, 1095)
ROWS = 400


@cache
def trial():
    """Return columns of made-up rows, of which a third is censored."""
    rng = np.random.default_rng(7)
    x, noise = rng.normal(size=(2, ROWS))
    event_at, censored_at = rng.exponential(np.exp(-x)) * 1000, rng.uniform(0, 3000, ROWS)
    found = {
        "days": np.minimum(event_at, censored_at).round(1) + 0.1,
        "dead": (event_at <= censored_at).astype(int),
        "risk_a": x,
        "risk_b": x + 1.5 * noise,
        "sex": np.where(rng.random(ROWS) < 0.5, "female", "male"),
        "clinic": np.array(["coast", "east", "north"])[rng.integers(0, 3, ROWS)],
        "code": np.arange(ROWS),
    }
    for at in HORIZONS:
        found[f"p{at}"] = 1 - np.exp(-at / 1000 * np.exp(x))
    return found


def evaluated(**options):
    """Return the evaluation of both models; of the first there are probabilities at both horizons."""
    given = {
        "time": "days",
        "event": "dead",
        "horizons": HORIZONS,
        "scores": ["risk_a", "risk_b"],
        "probability": {"risk_a": {at: f"p{at}" for at in HORIZONS}},
        "replicates": 40,
    }
    return cw.evaluate(trial(), **{**given, **options})


@cache
def full():
    """Return an evaluation with groups, sites and names of rows."""
    return evaluated(group="sex", site="clinic", id="code")
