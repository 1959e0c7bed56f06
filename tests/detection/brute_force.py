"""Matching and areas in fractions, one detection after the other, written as the definitions read."""

from __future__ import annotations

from fractions import Fraction


def iou(a, b, crowd=False):
    (ax, ay, aw, ah), (bx, by, bw, bh) = ([Fraction(v) for v in box] for box in (a, b))
    width, height = min(ax + aw, bx + bw) - max(ax, bx), min(ay + ah, by + bh) - max(ay, by)
    if width <= 0 or height <= 0:
        return Fraction(0)
    inside = width * height
    return inside / (aw * ah if crowd else aw * ah + bw * bh - inside)


def by_score(found, ties):
    """Sort detections of one group by falling score; of equal ones by box, or as they came."""
    return sorted(found, key=lambda d: (-d["score"], *(d["bbox"] if ties == "block" else ())))


def coco(truths, found, t, area=(0, 10**10), limit=100, ties="block"):
    """Return [(score, "T", "F" or "aside")] of one image and class, by falling score, and the number of truths."""
    truths = sorted(truths, key=lambda g: (*g["bbox"], g["area"])) if ties == "block" else truths
    aside = [bool(g.get("iscrowd")) or bool(g.get("ignore")) or not area[0] <= g["area"] <= area[1] for g in truths]
    free, answer = [True] * len(truths), []
    for d in by_score(found, ties)[:limit]:
        best = None
        for want in (False, True):
            for k, g in enumerate(truths):
                if aside[k] is not want or not free[k]:
                    continue
                near = iou(d["bbox"], g["bbox"], crowd=bool(g.get("iscrowd")))
                if near >= t and (best is None or near >= best[0]):
                    best = (near, k)
            if best is not None:
                break
        own = Fraction(d["bbox"][2]) * Fraction(d["bbox"][3])
        if best is None:
            answer.append((d, "F" if area[0] <= own <= area[1] else "aside"))
            continue
        k = best[1]
        free[k] = bool(truths[k].get("iscrowd"))
        answer.append((d, "aside" if aside[k] else "T"))
    return answer, aside.count(False)


def voc(truths, found, t, ties="block"):
    """Return the same by VOC's rule."""
    truths = sorted(truths, key=lambda g: (*g["bbox"], g["area"])) if ties == "block" else truths
    taken, answer = set(), []
    for d in by_score(found, ties):
        near = [iou(d["bbox"], g["bbox"]) for g in truths]
        best = max(range(len(near)), key=lambda k: (near[k], -k), default=None)
        if best is None or near[best] < t:
            answer.append((d, "F"))
        elif truths[best].get("ignore"):
            answer.append((d, "aside"))
        elif best in taken:
            answer.append((d, "F"))
        else:
            taken.add(best)
            answer.append((d, "T"))
    return answer, sum(not g.get("ignore") for g in truths)


def of_class(truth, detections, category, rule=coco, ties="block", **options):
    """Return the judged detections of a class over all images as [(score, is true)], in order, and the truths."""
    judged, positives = [], 0
    for image in sorted(i["id"] for i in truth["images"]):
        here = [
            [r for r in rows if (r["image_id"], r["category_id"]) == (image, category)]
            for rows in (truth["annotations"], detections)
        ]
        answer, count = rule(*here, ties=ties, **options)
        judged += [(d, said == "T") for d, said in answer if said != "aside"]
        positives += count
    if rule is voc:  # all images together, in the order of the rows
        judged.sort(key=lambda r: next(k for k, d in enumerate(detections) if d is r[0]))
    judged.sort(key=lambda r: -r[0]["score"])
    return [(d["score"], true) for d, true in judged], positives


def curve(judged, ties="block"):
    """Return cumulated (tp, fp): one pair per score, or one per detection."""
    points, tp, fp = [], 0, 0
    for place, (score, true) in enumerate(judged):
        tp, fp = tp + true, fp + (not true)
        if ties == "row" or place + 1 == len(judged) or judged[place + 1][0] != score:
            points.append((tp, fp))
    return points


def areas(points, positives):
    """Return step, all-point, 11-point and 101-point areas; None without truths."""
    if not positives:
        return None
    precision = [Fraction(tp, tp + fp) for tp, fp in points]
    envelope = [max(precision[k:]) for k in range(len(points))]
    gained = [tp - before for (tp, _), before in zip(points, [0, *(p[0] for p in points)], strict=False)]

    def grid(steps):
        total = Fraction(0)
        for k in range(steps + 1):
            reached = [e for e, (tp, _) in zip(envelope, points, strict=True) if steps * tp >= k * positives]
            total += reached[0] if reached else 0
        return total / (steps + 1)

    return {
        "step": sum((g * p for g, p in zip(gained, precision, strict=True)), Fraction(0)) / positives,
        "all-point": sum((g * e for g, e in zip(gained, envelope, strict=True)), Fraction(0)) / positives,
        "11-point": grid(10),
        "101-point": grid(100),
    }
