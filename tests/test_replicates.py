"""The number of resamples and the seed that a verb is given reach all that it calls."""

from importlib import import_module

import numpy as np
import pytest

import curvewise as cw
from curvewise.core import resampling

REPLICATES, SEED, N = 37, 5, 900
ASKED = {"replicates": REPLICATES, "rng": SEED}
RNG = np.random.default_rng(0)
Y = RNG.random(N) < 0.4
A, B = (1 / (1 + np.exp(-RNG.normal(Y * shift - 0.5))) for shift in (1.2, 1.0))
GROUP, SITE, FOLD, CLUSTER = (RNG.integers(0, k, N) for k in (3, 4, 5, 250))
DATA = {"y": Y, "a": A, "b": B, "group": GROUP, "site": SITE, "fold": FOLD, "cluster": CLUSTER}
KIND = RNG.integers(0, 3, N)
P = np.exp(RNG.normal(0, 1, (N, 3)) + (KIND[:, None] == np.arange(3)))
P /= P.sum(axis=1, keepdims=True)
SLOW = ["average_precision", "ks", "f1", "recall"]  # by derivative, by resampling, by draws of rates, by formula


def quantile_of_positives(sweep):
    """Return a number that has no formula."""
    return float(sweep.threshold[np.searchsorted(sweep.tp, sweep.positives / 2)])


def evaluated(**more):
    names = {"label": "y", "scores": ["a", "b"], "group": "group", "site": "site", "fold": "fold"}
    return cw.evaluate(DATA, **names, **more, **ASKED)


def grouped(**more):
    found = cw.by_group(Y, A, GROUP, threshold=0.5, metrics=[*SLOW, quantile_of_positives], **more, **ASKED)
    return [found, found.gap("recall", reference="rest"), found.tests("f1")]


CALLS = {
    "evaluate": lambda: [evaluated()],
    "evaluate with clusters": lambda: [evaluated(cluster="cluster")],
    "by_group": grouped,
    "by_group with clusters": lambda: grouped(cluster=CLUSTER),
    "fairness": lambda: [cw.fairness(Y, A, GROUP, threshold=0.5, cluster=CLUSTER, **ASKED)],
    "by_fold": lambda: [cw.by_fold(Y, {"a": A, "b": B}, FOLD, metric=quantile_of_positives, **ASKED)],
    "multiclass": lambda: [cw.multiclass(KIND, P, cluster=CLUSTER).summary(**ASKED)],
    "multiclass by_group": lambda: [cw.multiclass(KIND, P).by_group(GROUP, **ASKED)],
    "multiclass interval": lambda: [cw.multiclass(KIND, P).interval("kappa", **ASKED)],
    "multilabel": lambda: [cw.multilabel(P > 0.3, P).summary(**ASKED)],
}


def recorded(found):
    """Return all numbers of resamples that a result tells."""
    match found:
        case dict():
            own = [found["replicates"]] if isinstance(found.get("replicates"), int) else []
            return [*own, *(r for v in found.values() for r in recorded(v))]
        case list() | tuple():
            return [r for v in found for r in recorded(v)]
    return []


@pytest.mark.parametrize("name", CALLS)
def test_replicates_and_seed_reach_all(name, monkeypatch):
    counts, seeds = [], []
    progress, stream = resampling.Progress, resampling.random_stream

    def counted(what, total):
        counts.append(total)
        return progress(what, total)

    monkeypatch.setattr(resampling, "Progress", counted)
    monkeypatch.setattr(resampling, "random_stream", lambda rng: seeds.append(rng) or stream(rng))
    told = [r for found in CALLS[name]() for r in recorded(found.to_dict())]
    assert set(counts) == {REPLICATES}
    assert set(seeds) == {SEED}
    # a resample that defines nothing is left out, and said so
    assert all(0.8 * REPLICATES <= r <= REPLICATES for r in told)


def test_sites_are_asked_as_groups_are(monkeypatch):
    """None of the numbers of sites is resampled today; whichever will be, gets number and seed."""
    given, module = [], import_module("curvewise.breakdown.by_site")
    break_down = module.break_down
    monkeypatch.setattr(module, "break_down", lambda *how: given.append(how[-2:]) or break_down(*how))
    cw.by_site(Y, A, SITE, threshold=0.5, **ASKED)
    assert given == [(SEED, REPLICATES)]
