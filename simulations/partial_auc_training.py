"""Measure what training for partial AUC gains or loses: mean recall at FPR ≤ 5% on new rows.

``python simulations/partial_auc_training.py [--libauc] [studies]`` adds one line per setting and method to
``simulations/partial_auc_training.json`` (40 studies each: about 15 minutes on one core). ``--libauc`` runs only
LibAUC's one-way losses (pip install libauc); without it everything else, boosted trees if LightGBM is there.

The temperature, the number of iterations and the options of the boosted trees were chosen on seeds below 1 000; studies
use seeds from 1 000 on, tests and the search for the best linear score seeds of their own.
"""

from __future__ import annotations

import json
import sys
import time
from importlib.util import find_spec
from pathlib import Path

import numpy as np
from scipy.optimize import minimize
from sklearn.linear_model import LogisticRegression

import curvewise as cw

RESULTS = Path(__file__).with_suffix(".json")
FPR = 0.05
TEST_ROWS, SEARCH_ROWS = 200_000, 100_000
Data = tuple[np.ndarray, np.ndarray]


def two_kinds_and_outliers(n: int, rng: np.random.Generator, share: float = 0.06) -> Data:
    """Half of the positives are high in two features, half in two others; some negatives are far out in the first."""
    y = rng.random(n) < 0.2
    x = rng.normal(size=(n, 10))
    first = rng.random(n) < 0.5
    x[y & first, :2] += 1.8
    x[y & ~first, 2:4] += 1.8
    far = ~y & (rng.random(n) < share)
    x[far, :2] += rng.exponential(1.5, size=(far.sum(), 1)) + 1
    return x, y


def two_kinds_and_few_outliers(n: int, rng: np.random.Generator) -> Data:
    """The same with 2% in the place of 6% of the negatives."""
    return two_kinds_and_outliers(n, rng, 0.02)


def two_kinds(n: int, rng: np.random.Generator) -> Data:
    """The two kinds of positives are further apart, and 8% of the negatives are far out beside both."""
    y = rng.random(n) < 0.2
    x = rng.normal(size=(n, 8))
    first = rng.random(n) < 0.6
    x[y & first, 0] += 2.2
    x[y & ~first, 1:3] += (2.2, 0.8)
    far = ~y & (rng.random(n) < 0.08)
    x[far] *= 1.5
    x[far, 0] += 1.5
    x[far, 3] += 2.5
    return x, y


def logistic_is_right(n: int, rng: np.random.Generator) -> Data:
    """The log odds are linear in the features."""
    x = rng.normal(size=(n, 10))
    odds = x[:, :4] @ (1.5, 1.0, 0.7, 0.4) - 2.2
    return x, rng.random(n) < 1 / (1 + np.exp(-odds))


POPULATIONS = {
    f.__name__: f for f in (two_kinds_and_outliers, two_kinds_and_few_outliers, two_kinds, logistic_is_right)
}


def recall(y: np.ndarray, score: np.ndarray) -> float:
    """Return the mean recall at FPR ≤ 5%."""
    return cw.partial_roc_auc(y, score, fpr=(0, FPR), scale="mean")


def logistic(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    return LogisticRegression(C=np.inf, max_iter=1000).fit(x, y).coef_[0]


def direction(x: np.ndarray, y: np.ndarray, **options: float) -> np.ndarray:
    return cw.objectives.PartialAucClassifier(**options).fit(x, y).coef_[0]


def convex(x: np.ndarray, y: np.ndarray, kind: str, *, held: bool = False) -> np.ndarray:
    """Return the direction that a convex loss of the same pairs finds, from logistic regression on.

    Where most pairs are lost, such a loss is least at w = 0; ``held`` keeps the norm of the start.
    """
    start = logistic(x, y)
    norm = np.linalg.norm(start)

    def loss(w: np.ndarray) -> tuple[float, np.ndarray]:
        if not held:
            return pairs(w)
        size = np.linalg.norm(w)
        value, by_w = pairs(w * norm / size)
        return value, (by_w - w * (w @ by_w) / size**2) * norm / size

    def pairs(w: np.ndarray) -> tuple[float, np.ndarray]:
        score = x @ w
        negatives = np.flatnonzero(~y)
        top = negatives[np.argsort(-score[negatives])[: round(FPR * len(negatives))]]
        gap = score[y][:, None] - score[top]
        if kind == "squared hinge":
            short = np.maximum(1 - gap, 0)
            value, slope = (short**2).mean(), -2 * short
        else:
            value, slope = np.logaddexp(0, -gap).mean(), -1 / (1 + np.exp(gap))
        slope /= gap.size
        return value, slope.sum(1) @ x[y] - slope.sum(0) @ x[top]

    return minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": 500}).x


LINEAR = {
    "logistic regression": logistic,
    "PartialAucClassifier(fpr=0.05)": direction,
    "PartialAucClassifier(fpr=0.05, temperature=0.03)": lambda x, y: direction(x, y, temperature=0.03),
    "PartialAucClassifier(fpr=0.05, temperature=0.3)": lambda x, y: direction(x, y, temperature=0.3),
    "PartialAucClassifier(fpr=1), smooth AUC": lambda x, y: direction(x, y, fpr=1.0),
    "same pairs, squared hinge": lambda x, y: convex(x, y, "squared hinge"),
    "same pairs, softplus": lambda x, y: convex(x, y, "softplus"),
    "same pairs, squared hinge, norm held": lambda x, y: convex(x, y, "squared hinge", held=True),
    "same pairs, softplus, norm held": lambda x, y: convex(x, y, "softplus", held=True),
}


def boosted(x: np.ndarray, y: np.ndarray, objective: object, rounds: int):
    import lightgbm  # noqa: PLC0415 - not everybody has it

    options = {"num_leaves": 15, "learning_rate": 0.05, "n_jobs": 1, "verbose": -1}
    return lightgbm.LGBMClassifier(objective=objective, n_estimators=rounds, **options).fit(x, y)


TREES = {
    "boosted trees, log loss, 100 rounds": lambda x, y: boosted(x, y, "binary", 100),
    "boosted trees, BoostingObjective(fpr=0.05), 200 rounds": lambda x, y: boosted(
        x, y, cw.objectives.BoostingObjective(fpr=FPR), 200
    ),
}


def libauc(x: np.ndarray, y: np.ndarray, mode: str, seed: int, rate: float = 0.01, epochs: int = 60) -> np.ndarray:
    """Return the direction that LibAUC's loss finds, from logistic regression on, in stratified batches of 256."""
    import torch  # noqa: PLC0415 - not everybody has it
    from libauc.losses import pAUCLoss  # noqa: PLC0415
    from libauc.optimizers import SOPA, SOPAs  # noqa: PLC0415

    device = torch.device("cpu")
    torch.manual_seed(seed)
    model = torch.nn.Linear(x.shape[1], 1, bias=False)
    with torch.no_grad():
        model.weight[:] = torch.tensor(logistic(x, y))
    data, label = torch.tensor(x, dtype=torch.float32), torch.tensor(y, dtype=torch.long)
    given = {"data_len": len(y), "device": device}
    if mode == "SOPA":
        loss = pAUCLoss(mode, pos_len=int(y.sum()), beta=FPR, **given)
        steps = SOPA(model.parameters(), lr=rate, device=device)
    else:
        loss = pAUCLoss(mode, **given)
        steps = SOPAs(model.parameters(), lr=rate, device=device, verbose=False)
    pos, neg = torch.nonzero(label)[:, 0], torch.nonzero(label == 0)[:, 0]
    for _ in range(epochs):
        order = neg[torch.randperm(len(neg))]
        for part in order[: len(order) // 192 * 192].split(192):
            rows = torch.cat([pos[torch.randperm(len(pos))[:64]], part])
            value = loss(torch.sigmoid(model(data[rows])), label[rows], rows)  # as in its examples
            steps.zero_grad()
            value.backward()
            steps.step()
    return model.weight.detach().numpy()[0].astype(float)


def best_linear(draw) -> np.ndarray:
    """Return the best direction on many rows: direct search of the partial AUC itself, from several starts."""
    x, y = draw(SEARCH_ROWS, np.random.default_rng(501))
    rng = np.random.default_rng(502)
    starts = [logistic(x, y), x[y].mean(0) - x[~y].mean(0), *rng.normal(size=(3, x.shape[1]))]
    few = slice(0, SEARCH_ROWS // 5)
    found = []
    for start in starts:
        w = start / np.linalg.norm(start)
        for rows in (few, slice(None)):
            options = {"xtol": 1e-3, "ftol": 1e-5, "maxfev": 3000 if rows is few else 800}
            search = minimize(lambda v, r=rows: -recall(y[r], x[r] @ v), w, method="Powell", options=options)
            w = search.x / np.linalg.norm(search.x)
        found.append((search.fun, w))
    return min(found, key=lambda f: f[0])[1]


def keep(**cell: object) -> None:
    """Put one line in the place of that of the same population, rows and method."""
    lines = json.loads(RESULTS.read_text()) if RESULTS.exists() else []
    key = ("population", "rows", "method")
    lines = [old for old in lines if any(old[k] != cell[k] for k in key)] + [cell]
    RESULTS.write_text("[\n" + ",\n".join(json.dumps(line) for line in lines) + "\n]\n")
    print(cell, flush=True)


def measure(population: str, rows: int, methods: dict, studies: int, test: Data) -> None:
    """Fit each method to each sample, and keep the mean, and in how many samples it beat logistic regression."""
    x, y = test
    values: dict[str, list[float]] = {"logistic regression": [], **{name: [] for name in methods}}
    seconds = dict.fromkeys(values, 0.0)
    for study in range(studies):
        sample = POPULATIONS[population](rows, np.random.default_rng(1000 + study))
        for name, so_far in values.items():
            begun = time.perf_counter()
            model = methods.get(name, logistic)(*sample)
            seconds[name] += time.perf_counter() - begun
            score = x @ model if isinstance(model, np.ndarray) else model.predict(x, raw_score=True)
            so_far.append(recall(y, score))
    base = np.array(values["logistic regression"])
    for name in methods:
        found = values[name]
        gap = np.array(found) - base
        keep(
            population=population,
            rows=rows,
            method=name,
            studies=studies,
            mean=round(float(np.mean(found)), 4),
            gain=round(float(gap.mean()), 4),
            gain_error=round(float(gap.std(ddof=1) / np.sqrt(studies)), 4),
            better=int((gap > 0).sum()),
            seconds=round(seconds[name] / studies, 2),
        )


def main() -> None:
    with_libauc = "--libauc" in sys.argv
    studies = next((int(a) for a in sys.argv[1:] if a.isdigit()), 40)
    for population, draw in POPULATIONS.items():
        test = draw(TEST_ROWS, np.random.default_rng(500))
        if with_libauc:
            modes = {f"LibAUC {mode}": lambda x, y, mode=mode: libauc(x, y, mode, 1) for mode in ("SOPA", "SOPAs")}
            measure(population, 4000, modes, studies, test)
            continue
        limit = {"population": population, "rows": SEARCH_ROWS, "studies": 1}
        keep(**limit, method="best linear, direct search", mean=round(recall(test[1], test[0] @ best_linear(draw)), 4))
        large = draw(SEARCH_ROWS, np.random.default_rng(501))
        for name in ("logistic regression", "PartialAucClassifier(fpr=0.05)"):
            keep(**limit, method=name, mean=round(recall(test[1], test[0] @ LINEAR[name](*large)), 4))
        for rows in (1000, 4000):
            measure(population, rows, LINEAR, studies, test)
        if find_spec("lightgbm"):
            measure(population, 4000, TREES, studies, test)


if __name__ == "__main__":
    main()
