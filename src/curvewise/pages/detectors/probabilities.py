"""Whether the scores of detections can be trusted as probabilities, and how right and wrong boxes differ in them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from curvewise.document.blocks import Block, Cell, Grid, Plates, Section, Text
from curvewise.pages.cells import number_cell
from curvewise.pages.curve_tables import TENTHS, first_reaching

if TYPE_CHECKING:
    from curvewise.evaluation.detector import DetectorEvaluation
    from curvewise.pages.detectors.page import DetectionPage

CLUSTERED = "clusters_counted"  # that boxes of one image depend on each other is said elsewhere


def scores(page: DetectionPage) -> Section | None:
    """Write the section; nothing where there is no detection."""
    w = page.w
    if not any(len(d.matched.found) for d in page.detailed):
        return None
    blocks: list[Block] = [Text(w("detection.scores.lead"), "lead")]
    plates = []
    if "detection_reliability" in page.figures:
        plates.append(page.plate("detection_reliability", _reliability_grid(page)))
    if any(d.reliability is None for d in page.detailed):
        blocks.append(Text(w("detection.scores.no_probabilities"), "note"))
    for d in page.detailed:
        key = f"detection_scores:{page.place(d.name)}"
        if key in page.figures:
            plates.append(page.plate(key, _scores_grid(page, d), d.name))
    blocks.append(Plates(plates))
    curves = [d.reliability for d in page.detailed if d.reliability is not None]
    said = [page.sentence(n) for curve in curves for n in curve.notes if n.code != CLUSTERED]
    return Section("scores", w("detection.section.scores"), [*blocks, *page.folded_notes(said)])


def _reliability_grid(page: DetectionPage) -> Grid:
    w = page.w
    head = [Cell(w("detection.column.detector")), Cell(w("detection.column.score"), numeric=True)]
    head.append(Cell(w("figure.word.share_right"), numeric=True))
    rows, places = [], []
    for d in page.detailed:
        curve = d.reliability
        if curve is None:
            continue
        for k in first_reaching(curve.p, TENTHS):
            values = (float(curve.p[k]), float(curve.observed[k]))
            rows.append([Cell(d.name), number_cell(w, "cost", values[0]), number_cell(w, "share", values[1])])
            places.append(page.place(d.name))
    return Grid(w("figure.detection_reliability"), head, rows, places, points=True)


def _scores_grid(page: DetectionPage, detector: DetectorEvaluation) -> Grid:
    w, found = page.w, detector.score_counts
    head = [Cell(w(f"detection.column.{k}"), numeric=True) for k in ("from", "to", "right", "wrong")]
    columns = (found.edges[:-1], found.edges[1:], found.positives, found.negatives)
    ways = ("cost", "cost", "count", "count")
    rows = [
        [number_cell(w, way, float(value)) for way, value in zip(ways, line, strict=True)]
        for line in zip(*columns, strict=True)
    ]
    return Grid(w("figure.detection_scores"), head, rows, points=True)
