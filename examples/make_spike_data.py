"""Make the example data of neurons that ship inside the package.

Run ``python examples/make_spike_data.py`` from anywhere. It writes ``spikes.csv`` (simulated) into
``src/curvewise/data``. The seed is fixed, so with the same NumPy the file comes out the same byte for byte.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

DATA = Path(__file__).resolve().parents[1] / "src" / "curvewise" / "data"
SEED = 1
TRIALS, NEURONS, BINS = 100, 12, 16  # bins of 50 ms from the onset of the stimulus on
STIMULUS = (0, 1, 2, 3)  # neurons that fire more for a stimulus on the right, from 0.1 to 0.5 s
CHOICE = (2, 3, 4, 5)  # neurons that fire more before a choice of the right, from 0.4 s on


def main() -> None:
    """Draw trials, choices and the spikes of neurons that share a gain in each trial."""
    rng = np.random.default_rng(SEED)
    stimulus = rng.permutation(np.resize([-1, 0, 0, 1], TRIALS))
    chosen = rng.random(TRIALS) < 1 / (1 + np.exp(-1.2 * stimulus))
    rate = np.repeat(rng.uniform(6, 24, NEURONS)[:, None], BINS, axis=1)  # per second
    gain = rng.gamma(20, 1 / 20, TRIALS)
    log_rate = np.zeros((TRIALS, NEURONS, BINS))
    log_rate[:, STIMULUS, 2:10] += 0.5 * stimulus[:, None, None]
    log_rate[:, CHOICE, 8:] += 0.35 * np.where(chosen, 1, -1)[:, None, None]
    counts = rng.poisson(0.05 * gain[:, None, None] * rate * np.exp(log_rate))
    lines = ["trial,stimulus,choice,neuron," + ",".join(f"t{50 * k:03d}" for k in range(BINS))]
    for t in range(TRIALS):
        shown, choice = ("left", "none", "right")[stimulus[t] + 1], ("left", "right")[int(chosen[t])]
        lines += [f"{t},{shown},{choice},n{k:02d}," + ",".join(map(str, counts[t, k])) for k in range(NEURONS)]
    (DATA / "spikes.csv").write_text("\n".join(lines) + "\n", encoding="ascii", newline="\n")


if __name__ == "__main__":
    main()
