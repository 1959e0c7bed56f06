"""The type of each false detection, the object that it is about, and which objects are missed (after TIDE)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from curvewise.arrays import Bools, Floats, Ints
from curvewise.detection.matching.assignment import NONE
from curvewise.detection.matching.image_pairs import image_pairs, taken_truth

if TYPE_CHECKING:
    from curvewise.detection.matching.matches import Matches

TYPES = ("localisation", "class", "both", "duplicate", "background", "missed")
LOCALISATION, CLASS, BOTH, DUPLICATE, BACKGROUND, MISSED = range(len(TYPES))


@dataclass(frozen=True, eq=False)
class FalseDetections:
    """False detections with their types, and objects that were not found.

    Attributes
    ----------
    found, kind
        Places in `Matched.found`, rising; the type of each, a place in `TYPES`.
    truth, overlap
        The object that each is about, a place in the scene, and the overlap with it; -1 and NaN for background.
    not_found, missed
        Which objects of the scene count and are not found; which of them no error of localisation or class is about.
    """

    found: Ints
    kind: Ints
    truth: Ints
    overlap: Floats
    not_found: Bools
    missed: Bools


def false_detections(m: Matches, iou: int, background: float) -> FalseDetections:
    """Give each false detection the first type that fits; the threshold is given by its place."""
    least, status = m.iou[iou], m.status(m.iou[iou])
    not_found = m.counting[:, 0].copy()
    not_found[taken_truth(m, iou)[status == 1]] = False
    found = np.flatnonzero(status == 0)
    pairs = image_pairs(m, found, np.flatnonzero(m.counting[:, 0]), background)
    of_own = m.scene.found.label[m.found[pairs.found]] == m.scene.truths.label[pairs.truth]
    own, other, nearest = (_best(found, pairs.found, of) for of in (of_own, ~of_own, np.ones_like(of_own)))
    near_own, near_other, near_any = (np.append(pairs.overlap, 0.0)[best] for best in (own, other, nearest))
    fits = {
        LOCALISATION: (near_own >= background) & (near_own < least),
        CLASS: near_other >= least,
        DUPLICATE: near_own >= least,
        BACKGROUND: near_any <= background,
    }
    kind = np.select(list(fits.values()), list(fits), BOTH)
    none = np.full_like(own, len(pairs.truth))
    about = np.choose(kind, [own, other, nearest, own, none])  # in the order of the types
    truth = np.append(pairs.truth, NONE)[about]
    missed = not_found.copy()
    missed[truth[np.isin(kind, (LOCALISATION, CLASS))]] = False
    return FalseDetections(found, kind, truth, np.append(pairs.overlap, np.nan)[about], not_found, missed)


def _best(found: Ints, of_pair: Ints, some: Bools) -> Ints:
    """Return the last of some pairs of each detection, the best one; where there is none, the number of pairs."""
    last = np.full(int(found.max(initial=-1)) + 1, len(of_pair), dtype=np.intp)
    places = np.flatnonzero(some)
    last[of_pair[places]] = places  # of several, NumPy keeps the one written last
    return last[found]
