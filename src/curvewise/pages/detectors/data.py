"""What the report on detectors is about, how the numbers are made, and how the page was made."""

from __future__ import annotations

from typing import TYPE_CHECKING

from curvewise._version import __version__
from curvewise.detection.matching.options import ALL, WHOLE
from curvewise.document.blocks import Facts, Fold, Points, Section, Text

if TYPE_CHECKING:
    from curvewise.pages.detectors.page import DetectionPage

REFERENCES = {
    "match": "Lin et al. (2014) ECCV, LNCS 8693:740–755. Everingham et al. (2010) IJCV 88:303–338.",
    "ap": "Everingham et al. (2010) IJCV 88:303–338. Lin et al. (2014) ECCV, LNCS 8693:740–755.",
    "interval": "Davison & Hinkley (1997) Bootstrap Methods and Their Application, Cambridge University Press.",
    "errors": "Bolya, Foley, Hays & Hoffman (2020) ECCV, LNCS 12348:558–573.",
}


def data(page: DetectionPage) -> Section:
    """Write the data, how each number is defined, and how the page was made."""
    return Section("data", page.w("section.data"), [_counts(page), _methods(page), _made(page)])


def _counts(page: DetectionPage) -> Facts:
    w, m = page.w, page.first.matched
    count = w.numbers.count
    counting = int(m.counting[:, 0].sum())
    objects = len(page.first.sweeps)
    classes = w("detection.data.classes_of", with_objects=objects, all=len(m.classes))
    rows = [("images", count(len(m.images))), ("truths", count(counting))]
    rows += [("aside", count(len(m.scene.truths) - counting)), ("classes", classes)]
    facts = [(w(f"detection.data.{name}"), value, False) for name, value in rows]
    for d in page.evaluation.detectors.values():
        named = "detection.data.detections" if page.evaluation.several else "detection.data.detections_one"
        facts.append((w(named, name=d.name), count(len(d.matched.scene.found)), False))
    return Facts(facts)


def _methods(page: DetectionPage) -> Fold:
    w = page.w
    used = [name for name in REFERENCES if name != "interval" or page.evaluation.options.intervals]
    said = []
    for name in used:
        title = w(f"detection.methods.{name}.title") + w("colon")
        said.append(Text(w(f"detection.methods.{name}"), title=title, sub=REFERENCES[name]))
    return Fold(w("methods.fold", count=len(said)), [Points(said)])


def _made(page: DetectionPage) -> Fold:
    """Write how the page was made, so that it can be made again."""
    w, asked, options = page.w, page.evaluation.options, page.first.matched.options
    amount = w.numbers.amount
    sizes = [_range(page, name) for name in options.areas if name != ALL]
    limit = w("detection.made.none") if options.limit is None else w.numbers.count(options.limit)
    cut = w("detection.made.threshold.best") if asked.threshold is None else amount(asked.threshold)
    rows = [
        (w("made.version"), f"curvewise {__version__}", False),
        *([(w("detection.made.sources"), source, True) for source in page.evaluation.sources]),
        (w("detection.made.rule"), options.rule.upper(), False),
        (w("detection.made.iou"), w.listed([amount(t) for t in options.iou]), False),
        (w("detection.made.at_iou"), amount(asked.iou), False),
        (w("detection.made.threshold"), cut, False),
        (w("detection.made.limit_image" if options.per_image else "detection.made.limit"), limit, False),
        *([(w("detection.made.sizes"), w.listed(sizes), False)] if sizes else []),
        (w("detection.made.ties"), w(f"detection.made.ties.{options.ties}"), False),
        (w("detection.made.interpolation"), w.known("detection.interpolation", options.interpolation), False),
        (w("detection.made.absent"), w(f"detection.made.absent.{options.absent}"), False),
    ]
    if asked.intervals:
        rows += [
            (w("made.level"), w.numbers.level(asked.level), False),
            (w("detection.made.resamples"), w.numbers.count(asked.replicates), False),
            (w("made.seed"), str(asked.rng), True),
        ]
    return Fold(w("data.made"), [Facts(rows), Text(w("made.offline"), "note", on_page=True)])


def _range(page: DetectionPage, name: str) -> str:
    """Write a size range with its ends."""
    w, (low, high) = page.w, page.first.matched.options.areas[name]
    first, last = (w.numbers.amount(end) for end in (low, high))
    return f"{w.known('detection.size', name)} {f'≥ {first}' if high >= WHOLE[1] else f'{first}–{last}'}"
