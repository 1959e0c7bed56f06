"""Make the two example data files that ship inside the package.

Run ``python examples/make_data.py`` from anywhere. It writes ``screening.csv`` (simulated) and
``breast_cancer.csv`` (real labels, our own out-of-fold predictions) into ``src/curvewise/data``.
All seeds are fixed, so with the same library versions the files come out the same byte for byte.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import brentq
from scipy.special import expit, logit, ndtr
from sklearn.datasets import load_breast_cancer
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold, cross_val_predict
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

if TYPE_CHECKING:
    from collections.abc import Iterable

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

DATA = Path(__file__).resolve().parents[1] / "src" / "curvewise" / "data"
SCREENING_SEED = 214  # chosen so that the file shows what its README says it shows
FOLD_SEED = 0
PATIENTS = 2900

# Per site: share of patients, expected prevalence, spread of the true log odds (more spread is
# better discrimination), log of the typical sampling weight.
SITES = ("north", "south", "east", "west", "coast")
SITE_SHARE = (0.325, 0.25, 0.225, 0.17, 0.03)
SITE_PREVALENCE = (0.012, 0.021, 0.035, 0.075, 0.017)
SITE_SPREAD = np.array([1.05, 1.0, 0.95, 1.0, 0.9])
SITE_LOG_WEIGHT = np.array([0.45, 0.2, 0.0, -0.3, 0.5])

# Per age band: share of patients, shift of the log odds, spread of the true log odds.
AGES = ("40-49", "50-59", "60-69", "70+")
AGE_SHARE = (0.25, 0.3, 0.26, 0.19)
AGE_SHIFT = np.array([-0.7, -0.2, 0.3, 1.45])
AGE_SPREAD = np.array([1.6, 1.6, 1.6, 0.75])
AGE_LOG_WEIGHT = np.array([0.15, 0.05, -0.05, -0.25])


def clustered_normal(rng: np.random.Generator, cluster: Ints, share: float) -> Floats:
    """Draw one standard normal per row; rows of one cluster have correlation ``share``."""
    common: Floats = rng.standard_normal(int(cluster.max()) + 1)[cluster]
    own: Floats = rng.standard_normal(cluster.size)
    return common * float(np.sqrt(share)) + own * float(np.sqrt(1.0 - share))


def shift_to_prevalence(log_odds: Floats, target: float) -> Floats:
    """Add the constant that makes the mean probability equal to ``target``."""
    constant = brentq(lambda c: float(expit(log_odds + c).mean()) - target, -20.0, 20.0)
    return log_odds + float(constant)


def probability_text(values: Floats) -> list[str]:
    """Write probabilities with 6 decimals, kept off exactly 0 and 1 so log loss stays finite."""
    return [f"{v:.6f}" for v in np.clip(values, 1e-6, 1.0 - 1e-6)]


def write_csv(file_name: str, **columns: Iterable[object]) -> None:
    """Write equally long columns as a plain CSV with Unix line ends on every system."""
    rows = zip(*columns.values(), strict=True)
    lines = [",".join(columns), *(",".join(map(str, row)) for row in rows)]
    (DATA / file_name).write_bytes(("\n".join(lines) + "\n").encode("ascii"))


def make_screening() -> None:
    """Simulate a screening study: rare disease, five sites, repeated rows per patient."""
    rng = np.random.default_rng(SCREENING_SEED)
    # One draw per patient, then one row per lesion or visit (most patients have one row).
    site_of = rng.choice(len(SITES), size=PATIENTS, p=SITE_SHARE)
    age_of = rng.choice(len(AGES), size=PATIENTS, p=AGE_SHARE)
    male_of = rng.integers(0, 2, size=PATIENTS)
    rows_of = rng.choice([1, 2, 3, 4], size=PATIENTS, p=[0.74, 0.16, 0.07, 0.03])
    log_weight = SITE_LOG_WEIGHT[site_of] + AGE_LOG_WEIGHT[age_of]
    log_weight += 0.15 * rng.standard_normal(PATIENTS)
    weight_of = np.clip(np.exp(log_weight), 0.5, 3.0)
    patient = np.repeat(np.arange(PATIENTS), rows_of)
    site, age, male = site_of[patient], age_of[patient], male_of[patient]

    # The true probability. model_a reports it exactly, so model_a is calibrated by design.
    spread = SITE_SPREAD[site] * AGE_SPREAD[age]
    log_odds = AGE_SHIFT[age] + 0.15 * male + spread * clustered_normal(rng, patient, 0.5)
    for index, prevalence in enumerate(SITE_PREVALENCE):
        log_odds[site == index] = shift_to_prevalence(log_odds[site == index], prevalence)
    truth = expit(log_odds)
    disease = (ndtr(clustered_normal(rng, patient, 0.4)) < truth).astype(np.int64)

    # model_b finds about half of the diseased rows with great ease and is weak on the rest: a steep
    # start of the ROC curve, then a flat one. Its log odds are stretched, so it is overconfident.
    standard = (log_odds - log_odds.mean()) / log_odds.std()
    easy = rng.random(patient.size) < 0.5
    signal = 0.6 * standard + 0.8 * clustered_normal(rng, patient, 0.3)
    signal += disease * np.where(easy, 2.35, 0.1)
    model_b = expit(logit(0.005) + 3.0 * signal)

    # A reader's rating from 1 to 5: the same kind of signal, cut into five coarse steps.
    opinion = 0.45 * standard + 0.9 * clustered_normal(rng, patient, 0.3) + 0.65 * disease
    rating = 1 + np.searchsorted([0.1, 0.9, 1.5, 2.2], opinion)

    write_csv(
        "screening.csv",
        patient=[f"P{p + 1:04d}" for p in patient],
        site=[SITES[s] for s in site],
        sex=np.where(male == 1, "male", "female"),
        age_band=[AGES[a] for a in age],
        disease=disease,
        model_a=probability_text(truth),
        model_b=probability_text(model_b),
        rating=rating,
        weight=[f"{w:.2f}" for w in weight_of[patient]],
    )


def make_breast_cancer() -> None:
    """Score the Breast Cancer Wisconsin (Diagnostic) data with out-of-fold predictions."""
    bunch = load_breast_cancer()
    malignant = 1 - bunch.target  # scikit-learn codes malignant as 0
    column = {str(name): index for index, name in enumerate(bunch.feature_names)}
    few = bunch.data[:, [column[n] for n in ("mean texture", "mean smoothness", "mean symmetry")]]
    folds = StratifiedKFold(n_splits=10, shuffle=True, random_state=FOLD_SEED)
    logistic = make_pipeline(StandardScaler(), LogisticRegression(max_iter=1000))
    forest = RandomForestClassifier(n_estimators=200, min_samples_leaf=5, random_state=FOLD_SEED)

    def out_of_fold(model: object, features: Floats) -> list[str]:
        found = cross_val_predict(model, features, malignant, cv=folds, method="predict_proba")
        return probability_text(found[:, 1])

    fold = np.zeros(malignant.size, dtype=np.int64)
    for number, (_, held_out) in enumerate(folds.split(bunch.data, malignant), start=1):
        fold[held_out] = number

    write_csv(
        "breast_cancer.csv",
        row=range(malignant.size),
        malignant=malignant,
        logistic=out_of_fold(logistic, bunch.data),
        forest=out_of_fold(forest, few),
        one_feature=[f"{v:.6f}" for v in bunch.data[:, column["mean texture"]]],
        fold=fold,
    )


if __name__ == "__main__":
    make_screening()
    make_breast_cancer()
