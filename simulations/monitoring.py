"""Count how often `compare_windows` finds a change where there is none, and how often where there is one.

``python simulations/monitoring.py [looks]`` prints, for each setting, the share of looks with a change for each
question, of the looks that had enough rows (1000 looks each: about ten minutes).
"""

from __future__ import annotations

import sys
from collections import Counter
from dataclasses import dataclass

import numpy as np

import curvewise as cw


@dataclass(frozen=True)
class Setting:
    """Windows of so many rows; positives among them by probabilities whose log odds are normal.

    ``slope`` and ``moved`` are what has changed now: how much the log odds still say, and how far they have moved.
    """

    name: str
    reference: int
    now: int
    centre: float
    slope: float = 1.0
    moved: float = 0.0
    level: float = 0.95
    resolution: float | None = None

    def window(self, rng: np.random.Generator, rows: int, slope: float = 1.0, moved: float = 0.0) -> cw.Stream:
        """Draw the rows of a window."""
        odds = rng.normal(self.centre + moved, 1.2, rows)
        true = self.centre + slope * (odds - self.centre)
        y = rng.random(rows) < 1 / (1 + np.exp(-true))
        return cw.Stream(resolution=self.resolution).update(y, 1 / (1 + np.exp(-odds)))

    def look(self, rng: np.random.Generator) -> dict[str, str]:
        """Return the answers of one look."""
        reference, now = self.window(rng, self.reference), self.window(rng, self.now, self.slope, self.moved)
        return cw.compare_windows(now, reference, level=self.level).answers


SETTINGS = (
    Setting("unchanged, 2000 and 500 rows, 27% positive", 2000, 500, -1.2),
    Setting("unchanged, 5000 and 1000 rows, 4% positive", 5000, 1000, -3.7),
    Setting("unchanged, 5000 and 450 rows, 5% positive", 5000, 450, -3.5),
    Setting("unchanged, 300 and 100 rows, 27% positive", 300, 100, -1.2),
    Setting("unchanged, in bins (resolution 0.01)", 2000, 1500, -1.2, resolution=0.01),
    Setting("unchanged, in 128 bins, now exact", 2000, 120, -1.2, resolution=0.1),
    Setting("unchanged, level 0.999", 2000, 500, -1.2, level=0.999),
    Setting("scores say half as much", 2000, 500, -1.2, slope=0.5),
    Setting("log odds moved by 0.3", 2000, 500, -1.2, moved=0.3),
)


def main() -> None:
    looks = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    for setting in SETTINGS:
        rng, told = np.random.default_rng(5), Counter[tuple[str, str]]()
        for _ in range(looks):
            answers = setting.look(rng)
            told.update([*answers.items(), ("any of these", "changed" if "changed" in answers.values() else "no sign")])
        print(f"{setting.name}:")
        for question in dict.fromkeys(name for name, _ in told):
            enough = looks - told[question, "too few"] - told[question, "unknown"]
            share = f"{told[question, 'changed'] / enough:.3f}" if enough else "–"
            print(f"  {question:18} {share} of {enough}", flush=True)


if __name__ == "__main__":
    main()
