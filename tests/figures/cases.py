"""Results to draw, all small, and every figure by name."""

from functools import cache

import numpy as np

import curvewise as cw
from curvewise import figures

RATINGS = cw.Sweep.from_counts([1, 2, 3, 4, 5], [3, 2, 2, 11, 33], [33, 6, 6, 11, 2])


@cache
def rows():
    """Labels, probabilities of two models, groups and sites of 400 rows."""
    rng = np.random.default_rng(3)
    y = (rng.random(400) < 0.3).astype(int)
    first = 1 / (1 + np.exp(-(rng.normal(size=400) + 1.8 * y - 1)))
    second = np.round(1 / (1 + np.exp(-(rng.normal(size=400) + 0.9 * y - 1))), 2)
    return y, first, second, rng.choice(["f", "m"], 400), rng.choice(list("ABCDE"), 400)


@cache
def sweeps():
    y, first, second, *_ = rows()
    return {"first": cw.sweep(y, first), "second": cw.sweep(y, second)}


def each(verb, **options):
    return {name: verb(s, **options) for name, s in sweeps().items()}


@cache
def point():
    return cw.operating_point(sweeps()["first"], rule=cw.rules.min_cost(fp=1, fn=4), replicates=0)


@cache
def estimate():
    return cw.interval("roc_auc", sweeps()["first"])


@cache
def groups():
    y, first, _, sex, _ = rows()
    return cw.by_group(y, first, {"sex": sex})


@cache
def sites():
    y, first, _, _, site = rows()
    return cw.by_site(y, first, site)


@cache
def rates():
    y, first, _, _, site = rows()
    return cw.pool_rates(y, first, site, threshold=0.4)


@cache
def comparison():
    y, first, second, *_ = rows()
    return cw.compare(y, {"first": first, "second": second})


@cache
def readers():
    rng = np.random.default_rng(0)
    y = np.arange(60) < 30
    scores = {m: {r: k * y + rng.normal(size=60) for r in ("ann", "bob")} for m, k in (("film", 1.0), ("digital", 1.5))}
    return cw.reader_study(y, scores)


def _roc(**where):
    return figures.draw_roc(
        each(cw.roc_curve),
        band={"first": cw.roc_band(sweeps()["first"], rng=0, replicates=50)},
        hull=each(cw.roc_hull),
        point={"first": point()},
        iso_cost=0.58,
        estimate={"first": estimate()},
        **where,
    )


def _pr(**where):
    band = {"first": cw.pr_band(sweeps()["first"], rng=0, replicates=50)}
    return figures.draw_pr(each(cw.pr_curve), band=band, point={"first": point()}, **where)


def _reliability(**where):
    first = sweeps()["first"]
    return figures.draw_reliability(cw.reliability(first, rng=0, replicates=50), histogram=first, **where)


@cache
def over_time():
    """Two models at three horizons, 300 rows, of which a third is censored."""
    rng = np.random.default_rng(8)
    x = rng.normal(size=300)
    event, censored = rng.exponential(np.exp(-x)), rng.exponential(2.0, size=300)
    risk = {"first": x, "second": np.round(x + rng.normal(size=300), 1)}
    times = [0.3, 0.6, 1.2]
    curves = {name: np.exp(-np.outer(np.exp(r / 2), times)) for name, r in risk.items()}
    time = np.minimum(event, censored)
    return cw.survival(time, event <= censored, risk, horizons=times, survival=curves, times=times)


@cache
def own_time():
    """Predicted survival at each row's own time, of a model that is right."""
    rng = np.random.default_rng(9)
    time, censored = rng.exponential(size=300), rng.exponential(2.0, size=300)
    last = np.minimum(time, censored)
    return cw.d_calibration(last, time <= censored, np.exp(-last))


def _auc_over_time(**where):
    return figures.draw_time_curve(
        {name: over_time().auc_curve(name, points=20) for name in over_time().models}, **where
    )


def _brier_over_time(**where):
    return figures.draw_time_curve({name: over_time().brier_curve(name) for name in over_time().models}, **where)


FIGURES = {
    "roc": _roc,
    "hull": lambda **w: figures.draw_hull(cw.joint_hull(sweeps()), **w),
    "band": lambda **w: figures.draw_band(cw.roc_band(RATINGS, rng=0, replicates=50), **w),
    "pr": _pr,
    "pr_gain": lambda **w: figures.draw_pr_gain(each(cw.pr_gain_curve), **w),
    "det": lambda **w: figures.draw_det(each(cw.det_curve), **w),
    "gain": lambda **w: figures.draw_gain(each(cw.lift_curve), **w),
    "lift": lambda **w: figures.draw_lift(each(cw.lift_curve), **w),
    "cost": lambda **w: figures.draw_cost(each(cw.cost_curve), **w),
    "brier": lambda **w: figures.draw_brier(each(cw.brier_curve), **w),
    "decision": lambda **w: figures.draw_decision(each(cw.decision_curve), **w),
    "risk_coverage": lambda **w: figures.draw_risk_coverage(each(cw.risk_coverage), **w),
    "referral": lambda **w: figures.draw_referral(
        cw.referral(sweeps()["first"], fp=1, fn=2, refer=0.2, replicates=0), **w
    ),
    "distribution": lambda **w: figures.draw_distribution(sweeps()["first"], threshold=0.4, **w),
    "reliability": _reliability,
    "thresholds": lambda **w: figures.draw_thresholds(sweeps()["first"], threshold=0.4, **w),
    "confusion": lambda **w: figures.draw_confusion(point().confusion, **w),
    "groups": lambda **w: figures.draw_groups(groups(), **w),
    "sites": lambda **w: figures.draw_sites(sites(), **w),
    "readers": lambda **w: figures.draw_readers(readers(), **w),
    "pooled_rates": lambda **w: figures.draw_pooled_rates(rates(), **w),
    "difference": lambda **w: figures.draw_difference(comparison(), **w),
    "survival": lambda **w: figures.draw_survival(over_time(), **w),
    "auc_over_time": _auc_over_time,
    "brier_over_time": _brier_over_time,
    "risk_groups": lambda **w: figures.draw_risk_groups(over_time().risk_groups("first"), **w),
    "d_calibration": lambda **w: figures.draw_d_calibration(own_time(), **w),
}


def made(name, **options):
    """Draw a figure that belongs to no window."""
    figure = figures.figure()
    FIGURES[name](ax=figure.add_subplot(), **options)
    return figure


def line(ax, gid="model-0-line"):
    """Return x and y of a line by its id."""
    found = [artist for artist in ax.get_lines() if artist.get_gid() == gid]
    assert len(found) == 1
    return np.array(found[0].get_xdata(), float), np.array(found[0].get_ydata(), float)


def texts(ax):
    """Return the texts of axes."""
    return [t.get_text() for t in ax.texts]


def key(ax):
    """Return the texts of the legend."""
    return [t.get_text() for t in ax.get_legend().get_texts()]
