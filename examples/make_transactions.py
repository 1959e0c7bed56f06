"""Make the example data of card payments that ship inside the package.

Run ``python examples/make_transactions.py`` from anywhere. It writes ``transactions.csv`` (simulated) into
``src/curvewise/data``. The seed is fixed, so with the same NumPy the file comes out the same byte for byte.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

DATA = Path(__file__).resolve().parents[1] / "src" / "curvewise" / "data"
SEED = 6
ROWS = 20_000
SHARE = 0.005  # of frauds
SHIFT = 2.2  # of what the model sees of a fraud, in standard deviations


def main() -> None:
    """Draw payments, which of them are frauds, and what a calibrated model says."""
    rng = np.random.default_rng(SEED)
    fraud = np.zeros(ROWS, dtype=int)
    fraud[rng.choice(ROWS, round(SHARE * ROWS), replace=False)] = 1
    seen = rng.standard_normal(ROWS) + SHIFT * fraud
    odds = np.log(SHARE / (1 - SHARE)) + SHIFT * seen - SHIFT**2 / 2
    probability = 1 / (1 + np.exp(-odds))
    # most payments are small; frauds are twice as large, and a few are very large
    amount = np.exp(3.2 + 1.2 * rng.standard_normal(ROWS)) * np.where(fraud == 1, 2.0, 1.0)
    lines = [f"{y},{a:.2f},{p:.4g}" for y, a, p in zip(fraud, np.maximum(amount, 0.5), probability, strict=True)]
    (DATA / "transactions.csv").write_text("\n".join(["fraud,amount,p", *lines]) + "\n", encoding="ascii", newline="\n")


if __name__ == "__main__":
    main()
