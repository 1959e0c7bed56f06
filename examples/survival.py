"""Judge two risk models on censored outcomes: the simulated trial that ships with the package.

Run ``python examples/survival.py``. It prints what a careful reader asks: how long patients were followed, how well
each model ranks, whether its probabilities are right at three years, which model is better, and whom to treat.
"""

from __future__ import annotations

from importlib.resources import files

import polars as pl

import curvewise as cw

HORIZONS = (365, 1095)  # one and three years
MODELS = ("risk_a", "risk_b")


def main() -> None:
    """Read the file, and answer one question after the other."""
    trial = pl.read_csv(str(files("curvewise") / "data" / "trial.csv"))
    risk = {name: trial[name] for name in MODELS}
    told = {name: {t: trial[f"p_{name[-1]}_{t}"] for t in HORIZONS} for name in MODELS}
    sv = cw.survival(trial["days"], trial["dead"], risk, horizons=HORIZONS, probability=told)

    print(f"Followed: {sv.follow_up.text}.")
    for name, model in sv.models.items():
        at = model.at[1095]
        print(f"{name}: concordance {model.concordance.brief()}, AUC at three years {at['roc_auc'].brief()}")
        print(f"  IPA {at['brier_skill'].brief()}, observed / expected {at['observed_expected'].brief()}")
        print(f"  censoring against the score {model.censoring_check.brief()}, 0.5 if independent")

    gap = sv.compare()
    print(f"Concordance differs by {gap.difference.brief()}, p = {gap.p_value:.2g}")

    # a horizon is taken by every verb
    at = sv.at(1095, "risk_a")
    point = cw.operating_point(at, cw.rules.max_net_benefit(0.5), replicates=200)
    print(point.sentence)

    # deaths of the disease alone: deaths of other causes compete with them
    h = cw.horizon(trial["days"], trial["status"], trial["risk_a"], at=1095, cause=1)
    print(f"Died of the disease by three years: {100 * h.observed.value:.1f}% ({h.observed.method})")
    print(cw.interval("roc_auc", h).brief())


if __name__ == "__main__":
    main()
