"""Make the example data of censored outcomes that ship inside the package.

Run ``python examples/make_survival_data.py`` from anywhere. It writes ``trial.csv`` (simulated) into
``src/curvewise/data``. The seed is fixed, so with the same NumPy the file comes out the same byte for byte.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

DATA = Path(__file__).resolve().parents[1] / "src" / "curvewise" / "data"
SEED = 1
PATIENTS = 600
AGES = ("40-54", "55-69", "70+")
AGE_SHARE = (0.3, 0.45, 0.25)
OTHER_DEATHS = np.array([0.01, 0.025, 0.06]) / 365.25  # per day, by age
SCALE, SHAPE = 2600.0, 1.2  # of the time to death of the disease, in days, for a patient like the mean
DROPOUT = 0.03 / 365.25  # per day, whatever the risk
ENTRY_ENDS, STUDY_ENDS = 1095.0, 1826.0  # patients enter over three years, and are followed to the end of the fifth
HORIZONS = (365, 1095)


def disease(days: Floats | float, log_hazard: Floats) -> Floats:
    """Return the cumulative hazard of death of the disease."""
    return np.asarray((days / SCALE) ** SHAPE * np.exp(log_hazard))


def main() -> None:
    """Draw patients, what becomes of them, and what two models say."""
    rng = np.random.default_rng(SEED)
    age = rng.choice(len(AGES), size=PATIENTS, p=AGE_SHARE)
    marker, spread = rng.standard_normal((2, PATIENTS))
    truth = 0.8 * marker + 0.8 * spread
    of_disease = SCALE * (rng.exponential(size=PATIENTS) / np.exp(truth)) ** (1 / SHAPE)
    of_other = rng.exponential(size=PATIENTS) / OTHER_DEATHS[age]
    lost = np.minimum(rng.exponential(1 / DROPOUT, PATIENTS), STUDY_ENDS - rng.uniform(0, ENTRY_ENDS, PATIENTS))
    died = np.minimum(of_disease, of_other)
    days = np.maximum(np.ceil(np.minimum(died, lost)), 1).astype(int)
    status = np.where(lost < died, 0, np.where(of_disease <= of_other, 1, 2))

    # model a knows all that makes a patient's risk; model b the marker alone, which it takes for far more than it says
    claimed = 1.5 * marker
    told = {f"p_a_{t}": 1 - np.exp(-disease(t, truth) - OTHER_DEATHS[age] * t) for t in HORIZONS} | {
        f"p_b_{t}": 1 - np.exp(-disease(t, claimed)) for t in HORIZONS
    }
    columns: dict[str, list[str]] = {
        "patient": [f"T{k + 1:03d}" for k in range(PATIENTS)],
        "age_band": [AGES[k] for k in age],
        "days": [str(d) for d in days],
        "dead": [str(int(s > 0)) for s in status],
        "status": [str(s) for s in status],
        "risk_a": [f"{r:.4f}" for r in np.log(disease(1095.0, truth) + OTHER_DEATHS[age] * 1095)],
        "risk_b": [f"{r:.4f}" for r in claimed],
        **{name: [f"{p:.6f}" for p in np.clip(values, 0.000001, 0.999999)] for name, values in told.items()},
    }
    lines = [",".join(columns), *(",".join(row) for row in zip(*columns.values(), strict=True))]
    (DATA / "trial.csv").write_bytes(("\n".join(lines) + "\n").encode("ascii"))


if __name__ == "__main__":
    main()
