"""Count how often what `by_fold` says of cross-validation is right, with a classifier that is fitted in each fold.

``python simulations/folds.py [studies]`` prints four tables (400 studies: about four minutes):

1. how often the interval of the mean holds the truth: ``delong-folds`` for AUC, ``corrected-t`` for accuracy; the plain
   interval mean ± t·s/√k beside them;
2. how often two equally good ways of fitting are said to differ, by the plain and by the corrected t-test;
3. how often folds are said to differ, where only their models differ as they always do, and where scores are shifted;
4. the AUC pooled over leave-one-out folds where features are noise.

Rows are normal with as many features as the table says, positives shifted in all of them; the classifier is Fisher's
linear discriminant. Its true AUC and accuracy are known from its coefficients. Accuracy is at probability 0.5.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import stats

import curvewise as cw

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Study:
    """Rows, features, folds, share of positives, and how far the classes lie apart, in standard deviations."""

    rows: int
    features: int
    folds: int
    share: float
    apart: float

    @property
    def shift(self) -> Floats:
        """How far positives are shifted in each feature."""
        return np.full(self.features, self.apart / np.sqrt(self.features))

    def draw(self, rng: np.random.Generator) -> tuple[Floats, NDArray[np.bool_]]:
        """Return features and labels."""
        y = np.arange(self.rows) < round(self.rows * self.share)
        return rng.normal(size=(self.rows, self.features)) + y[:, None] * self.shift, y

    def auc(self, weight: Floats) -> float:
        """Return the true AUC of a linear score."""
        return float(stats.norm.cdf(weight @ self.shift / np.sqrt(2 * weight @ weight)))

    def accuracy(self, weight: Floats, constant: float) -> float:
        """Return the true accuracy where rows with a positive score are flagged."""
        size = np.sqrt(weight @ weight)
        hit = stats.norm.cdf((weight @ self.shift + constant) / size)
        return float(self.share * hit + (1 - self.share) * stats.norm.cdf(-constant / size))


def fit(x: Floats, y: NDArray[np.bool_]) -> tuple[Floats, float]:
    """Return weights and constant of Fisher's linear discriminant: the log odds."""
    one, zero = x[y].mean(axis=0), x[~y].mean(axis=0)
    away = x - np.where(y[:, None], one, zero)
    within = away.T @ away / (len(y) - 2)
    weight = np.linalg.solve(within, one - zero)
    return weight, float(np.log(y.mean() / (1 - y.mean())) - weight @ (one + zero) / 2)


def deal(y: NDArray[np.bool_], folds: int, rng: np.random.Generator, *, stratified: bool = True) -> NDArray[np.intp]:
    """Deal rows to folds at random, each class by itself where folds are stratified."""
    found = np.empty(len(y), dtype=np.intp)
    for on in (y, ~y) if stratified else (np.ones(len(y), dtype=bool),):
        place = rng.permutation(np.flatnonzero(on))
        found[place] = np.arange(len(place)) % folds
    return found


def held_out(x: Floats, y: NDArray[np.bool_], fold: NDArray[np.intp]) -> tuple[Floats, list[tuple[Floats, float]]]:
    """Return the score of each row by the model of its fold, and the models."""
    score, models = np.empty(len(y)), []
    for k in range(int(fold.max()) + 1):
        weight, constant = fit(x[fold != k], y[fold != k])
        score[fold == k] = x[fold == k] @ weight + constant
        models.append((weight, constant))
    return score, models


def plain_ends(found: cw.Folds) -> tuple[float, float]:
    """Return mean ± t·s/√k, which takes folds as independent."""
    reach = stats.t.ppf(0.975, len(found.folds) - 1) * found.spread / np.sqrt(len(found.folds))
    return found.mean.value - reach, found.mean.value + reach


def intervals(study: Study, studies: int, rng: np.random.Generator) -> list[Any]:
    """Count coverage: of the mean over the models of the folds, of the model of all rows, of the way of fitting."""
    ends, truths = [], []
    for _ in range(studies):
        x, y = study.draw(rng)
        fold = deal(y, study.folds, rng)
        score, models = held_out(x, y, fold)
        auc = cw.by_fold(y, score, fold)
        right = cw.by_fold(y, score, fold, metric="accuracy", threshold=0)
        ends.append([auc.mean.low, auc.mean.high, *plain_ends(auc), right.mean.low, right.mean.high])
        everything = fit(x, y)
        true = [np.mean([study.auc(w) for w, _ in models]), study.auc(everything[0]), study.auc(models[0][0])]
        truths.append([*true, study.accuracy(*models[0])])
    e, t = np.array(ends), np.array(truths)
    way, right_way = t[:, 2].mean(), t[:, 3].mean()  # one model per study: the mean over training sets
    checks = [(0, t[:, 0]), (0, t[:, 1]), (0, way), (2, way), (4, right_way)]
    return [float(np.mean((e[:, k] <= true) & (true <= e[:, k + 1]))) for k, true in checks]


def equal_models(study: Study, repeats: int, studies: int, rng: np.random.Generator) -> list[float]:
    """Count how often classifiers of one half, and of the other half, of equally good features are said to differ."""
    said = np.zeros(2)
    half = study.features // 2
    for _ in range(studies):
        x, y = study.draw(rng)
        dealt = [deal(y, study.folds, rng) for _ in range(repeats)]
        scores = {
            name: np.concatenate([held_out(x[:, part], y, fold)[0] for fold in dealt])
            for name, part in (("a", slice(None, half)), ("b", slice(half, None)))
        }
        repeat = np.repeat(np.arange(repeats), len(y))
        found = cw.by_fold(np.tile(y, repeats), scores, np.concatenate(dealt), repeat=repeat)
        apart = [f.estimates["a"].value - f.estimates["b"].value for f in found.folds]
        said += [stats.ttest_1samp(apart, 0).pvalue < 0.05, found.compare().p_value < 0.05]
    return [float(v) for v in said / studies]


def shifted(
    study: Study, size: float, studies: int, rng: np.random.Generator, *, stratified: bool
) -> tuple[float, float]:
    """Count warnings where the scores of folds are shifted by this many standard deviations; and pooled minus mean."""
    warned, apart = 0, []
    for _ in range(studies):
        x, y = study.draw(rng)
        fold = deal(y, study.folds, rng, stratified=stratified)
        score, _ = held_out(x, y, fold)
        score += size * score[~y].std() * rng.normal(size=study.folds)[fold]
        try:
            found = cw.by_fold(y, score, fold)
        except cw.UndefinedMetricError:
            continue
        warned += found.models["score"].warning() is not None
        apart.append(found.difference)
    return warned / len(apart), float(np.mean(apart))


def leave_one_out(study: Study, studies: int, rng: np.random.Generator) -> float:
    """Return the mean AUC pooled over folds of one row, where features say nothing."""
    areas = []
    for _ in range(studies):
        x, y = study.draw(rng)
        areas.append(cw.roc_auc(y, held_out(x, y, np.arange(len(y)))[0]))
    return float(np.mean(areas))


MEAN = (
    Study(80, 2, 4, 0.5, 1.2),
    Study(150, 3, 5, 0.3, 1.5),
    Study(150, 15, 5, 0.3, 1.5),
    Study(300, 6, 10, 0.15, 2.0),
    Study(400, 12, 10, 0.4, 0.8),
    Study(800, 8, 5, 0.05, 2.5),
    Study(2000, 30, 10, 0.1, 1.0),
)
PAIRS = ((Study(120, 6, 5, 0.5, 1.5), 1), (Study(300, 10, 10, 0.3, 1.2), 1), (Study(200, 6, 10, 0.4, 1.5), 10))
SHIFTS = (Study(150, 3, 5, 0.3, 1.5), Study(400, 12, 10, 0.4, 0.8), Study(800, 8, 5, 0.05, 2.5))
NOISE = (Study(30, 1, 30, 0.5, 0.0), Study(30, 5, 30, 0.5, 0.0), Study(100, 1, 100, 0.5, 0.0))


def main(studies: int) -> None:
    """Print the four tables."""
    print(
        "rows features folds share apart | AUC, delong-folds: fold models, all rows, fitting; plain: fitting; accuracy"
    )
    for place, study in enumerate(MEAN):
        found = intervals(study, studies, np.random.default_rng([1, place]))
        print(*vars(study).values(), "|", *(f"{v:.3f}" for v in found), flush=True)
    print("\nrows features folds share apart, repeats | said to differ at 0.05: plain t, corrected t")
    for place, (study, repeats) in enumerate(PAIRS):
        many = studies if repeats == 1 else studies // 2
        found = equal_models(study, repeats, many, np.random.default_rng([2, place]))
        print(*vars(study).values(), repeats, "|", *(f"{v:.3f}" for v in found), flush=True)
    print("\nrows features folds share apart, stratified, shift | warned, pooled minus mean")
    for place, study in enumerate(SHIFTS):
        for stratified in (True, False):
            for size in (0.0, 0.25, 0.5, 1.0):
                rng = np.random.default_rng([3, place, int(stratified)])
                share, apart = shifted(study, size, studies // 2, rng, stratified=stratified)
                print(*vars(study).values(), stratified, size, f"| {share:.3f} {apart:.4f}", flush=True)
    print("\nrows features | AUC pooled over leave-one-out, pure noise")
    for place, study in enumerate(NOISE):
        print(study.rows, study.features, f"| {leave_one_out(study, studies, np.random.default_rng([4, place])):.3f}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 400)
