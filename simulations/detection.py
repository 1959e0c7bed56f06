"""Count how often intervals of mean average precision, of one class and of a difference hold the true value.

``python simulations/detection.py [studies]`` prints a block per setting (200 studies each: about ten minutes);
``--bca`` adds that method, which takes as long again. The truth of a population is what 80 000 images give. The factor
of the bias and its error were chosen on other settings and seeds (`CHOSEN_ON`).
"""

from __future__ import annotations

import sys
from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from curvewise.detection.formats.scene import Detections, Scene, Truths
from curvewise.detection.matching.match import match_scene
from curvewise.detection.matching.options import read_options
from curvewise.detection.numbers.at_threshold import detections_at
from curvewise.detection.resampling.compare_detectors import compare_detectors
from curvewise.detection.resampling.intervals import resampled_numbers
from curvewise.detection.resampling.threshold_intervals import threshold_intervals

if TYPE_CHECKING:
    from curvewise.detection.matching.matched import Matched

REPLICATES = 200
THRESHOLD = 0.6
TRUTHS = (5, 10, 20, 40, 80, 200)  # where bands of classes by their number of objects begin
OPTIONS = read_options("coco", None, {}, "rule", "block", "skip")


@dataclass(frozen=True)
class Population:
    """Images with objects, and two detectors that see the same ones.

    Attributes
    ----------
    classes, skew
        How many classes; the share of class k is in proportion to 1 / (k + 1) ** skew.
    objects
        Expected objects per image.
    skill, spread
        How well each of two detectors separates objects from background; how far it is better at some classes.
    image_effect, video
        How much harder some images are than others, for both detectors; how many images are equally hard.
    background
        Expected detections per image where there is no object.
    score
        ``"normal"``; ``"heavy"``: some scores say nothing about their box; ``"rounded"``: to 0.05, so many are equal.
    blur
        How far boxes are from their objects, as a share of their sides.
    """

    classes: int = 8
    skew: float = 1.0
    objects: float = 4.0
    skill: tuple[float, float] = (1.5, 1.2)
    spread: float = 1.0
    image_effect: float = 0.5
    video: int = 1
    background: float = 4.0
    score: str = "normal"
    blur: float = 0.14

    def matched(self, images: int, rng: np.random.Generator) -> tuple[Matched, Matched]:
        """Draw images, and match the detections of both detectors."""
        share = 1 / np.arange(1, self.classes + 1) ** self.skew
        share /= share.sum()
        image = np.repeat(np.arange(images), rng.poisson(self.objects, images))
        n = len(image)
        side = np.exp(rng.normal(4, 0.7, (n, 2)))
        box = np.hstack([rng.random((n, 2)) * 3000, side])
        label = rng.choice(self.classes, n, p=share)
        hardness = np.repeat(self.image_effect * rng.normal(size=-(-images // self.video)), self.video)[:images]
        no = np.zeros(n, dtype=bool)
        truths = Truths(image, label, box, box[:, 2] * box[:, 3], no, no, np.arange(n))
        ease = rng.normal(0, 0.7, n) - hardness[image]  # what both detectors find easy or hard
        scenes = []
        for skill in self.skill:
            found = self._found(truths, images, skill, ease, share, rng)
            names = tuple(f"c{k}" for k in range(self.classes))
            scenes.append(Scene(tuple(range(images)), names, truths, found, names))
        first, second = (match_scene(s, OPTIONS) for s in scenes)
        return first, second

    def _found(
        self,
        truths: Truths,
        images: int,
        skill: float,
        ease: np.ndarray,
        share: np.ndarray,
        rng: np.random.Generator,
    ) -> Detections:
        times = rng.binomial(1, 0.9, len(truths)) + rng.binomial(1, 0.15, len(truths))
        of = np.repeat(np.arange(len(truths)), times)
        of_class = self.spread * np.sin(2.4 * np.arange(self.classes))  # no order of classes by frequency
        quality = skill + of_class[truths.label[of]] + ease[of] + rng.normal(0, 0.6, len(of))
        blur = self.blur * np.exp(-0.35 * quality)[:, None]
        side = truths.box[of, 2:] * np.exp(blur * rng.normal(size=(len(of), 2)))
        centre = truths.box[of, :2] + truths.box[of, 2:] / 2 + blur * truths.box[of, 2:] * rng.normal(size=(len(of), 2))
        label = np.where(rng.random(len(of)) < 0.1, rng.choice(self.classes, len(of), p=share), truths.label[of])
        noise = rng.standard_t(2, len(of)) if self.score == "heavy" else rng.normal(size=len(of))
        seen = quality + 0.8 * noise
        # background: boxes anywhere, with scores of no skill
        where = np.repeat(np.arange(images), rng.poisson(self.background, images))
        none = len(where)
        extra = np.hstack([rng.random((none, 2)) * 3000, np.exp(rng.normal(4, 0.7, (none, 2)))])
        score = np.concatenate([seen, rng.normal(-0.3, 1.0, none)])
        score = 1 / (1 + np.exp(-score))
        if self.score == "rounded":
            score = np.round(20 * score) / 20
        box = np.vstack([np.hstack([centre - side / 2, side]), extra])
        labels = np.concatenate([label, rng.choice(self.classes, none, p=share)])
        image = np.concatenate([truths.image[of], where])
        return Detections(image, labels, box, score, np.arange(len(image)))


# where the factor 2 of the bias and its error of a third were chosen, with other seeds
CHOSEN_ON = (
    (150, Population()),
    (500, Population()),
    (500, Population(classes=30)),
    (50, Population()),
    (200, Population(classes=5, score="heavy", skill=(2.2, 2.0), objects=3.0, image_effect=0.8)),
    (300, Population(classes=12, score="rounded", skill=(1.2, 0.9), skew=0.6, background=8.0)),
    (800, Population(classes=30, skill=(3.0, 2.7), skew=1.2, blur=0.08, spread=0.6)),
    (150, Population(skill=(0.6, 0.5), background=10.0, spread=0.7)),
)
SETTINGS = (
    (150, Population()),
    (500, Population()),
    (500, Population(classes=30)),
    (120, Population(classes=3, score="heavy", skill=(1.8, 1.6), objects=5.0)),
    (250, Population(classes=15, skew=1.4, skill=(2.5, 2.5), objects=5.0, image_effect=1.0, blur=0.1)),
    (600, Population(classes=20, score="rounded", skew=0.8, skill=(1.0, 0.8), objects=3.0)),
    (400, Population(classes=6, image_effect=1.2, video=5)),
)


class Tally:
    """Counts, by name, how often an interval held the truth, and how often it lay above and below."""

    def __init__(self) -> None:
        self.held: dict[str, list[tuple[bool, bool, bool]]] = defaultdict(list)

    def add(self, name: str, low: float, high: float, truth: float) -> None:
        if not np.isnan(low):
            self.held[name].append((low <= truth <= high, truth < low, truth > high))

    def __str__(self) -> str:
        shares = {name: (np.mean(found, axis=0), len(found)) for name, found in self.held.items()}
        return "\n".join(
            f"  {name:32} {held:.3f} (above the truth {above:.3f}, below {below:.3f}; {n})"
            for name, ((held, above, below), n) in shares.items()
        )


def large(population: Population) -> tuple[list[np.ndarray], dict[str, float]]:
    """Return the average precision of each class and detector, and rates at the threshold, of many images."""
    rng = np.random.default_rng(99)
    pairs = [population.matched(40_000, rng) for _ in range(2)]
    rates = [detections_at(m, THRESHOLD).pooled for m, _ in pairs]
    names = ("precision", "recall", "f", "false_positives_per_image")
    known = {name: float(np.mean([getattr(r, name) for r in rates])) for name in names}
    return [np.mean([pair[k].class_ap() for pair in pairs], axis=0) for k in (0, 1)], known


def count(images: int, population: Population, studies: int, seed: int) -> None:
    of_class, rates = large(population)
    truth = [float(values.mean()) for values in of_class]
    tally, away, estimated = Tally(), [], []
    for study in range(studies):
        a, b = population.matched(images, np.random.default_rng([seed, study]))
        how = {"rng": study, "replicates": REPLICATES}
        how["cluster"] = None if population.video == 1 else [k // population.video for k in range(images)]
        drawn = resampled_numbers(a, ["ap"], **how)
        away.append(drawn.value[0] - truth[0])
        estimated.append(drawn.bias[0])
        for method in ("recentred", "basic", "percentile", *(["bca"] if "--bca" in sys.argv else [])):
            e = drawn.estimate("ap", method)
            tally.add(f"mean, {method}", e.low, e.high, truth[0])
        gap = compare_detectors({"a": a, "b": b}, **how).difference
        tally.add("difference, percentile", gap.low, gap.high, truth[0] - truth[1])
        for name, e in threshold_intervals(a, THRESHOLD, **how).items():
            tally.add(name, e.low, e.high, rates["f" if name == "f1" else name])
        for k, exact in enumerate(of_class[0]):
            objects = drawn.quantities["ap", k].truths or 0
            band = max((t for t in TRUTHS if t <= objects), default=0)
            for method in ("recentred", "basic"):
                e = drawn.class_estimate(k, method=method)
                tally.add(f"class of {band}+ objects, {method}", e.low, e.high, exact)
    print(f"{images} images, {population}")
    print(
        f"  truth {truth[0]:.3f}, bias {np.mean(away):.4f} (estimated {np.mean(estimated):.4f}), sd {np.std(away):.4f}"
    )
    print("\n".join(sorted(str(tally).splitlines())), flush=True)


def main() -> None:
    studies = next((int(word) for word in sys.argv[1:] if word.isdigit()), 200)
    for images, population in SETTINGS:
        count(images, population, studies, seed=2024)


if __name__ == "__main__":
    main()
