"""Confusion, types of errors and corrected areas in fractions, one detection after the other, as defined."""

from __future__ import annotations

from fractions import Fraction

from detection.brute_force import areas, curve, iou


def names(truth):
    return {c["id"]: c["name"] for c in truth["categories"]}


def counts(g):
    return not (g.get("iscrowd") or g.get("ignore"))


def order_of(g, named):
    return (*g["bbox"], g["area"], named[g["category_id"]])


def matched(truth, found, t, rule="coco", limit=100):
    """Return [(detection, "T", "F" or "aside", the object taken or None)] of all images and classes."""
    named, answer = names(truth), []
    for image in [i["id"] for i in truth["images"]]:
        for kind in named:
            here = [
                [r for r in rows if (r["image_id"], r["category_id"]) == (image, kind)]
                for rows in (truth["annotations"], found)
            ]
            answer += (_coco if rule == "coco" else _voc)(*here, t, limit)
    return answer


def _turns(truths, found):
    objects = sorted(truths, key=lambda g: (*g["bbox"], g["area"]))
    return objects, sorted(found, key=lambda d: (-d["score"], *d["bbox"]))


def _coco(truths, found, t, limit):
    objects, turns = _turns(truths, found)
    free, answer = [True] * len(objects), []
    for d in turns[:limit]:
        near = [iou(d["bbox"], g["bbox"], crowd=bool(g.get("iscrowd"))) for g in objects]
        open_to = [k for k in range(len(objects)) if free[k] and near[k] >= t]
        best = max(open_to, key=lambda k: (counts(objects[k]), near[k], k), default=None)
        if best is None:
            answer.append((d, "F", None))
            continue
        free[best] = bool(objects[best].get("iscrowd"))
        answer.append((d, "T" if counts(objects[best]) else "aside", objects[best]))
    return answer


def _voc(truths, found, t, _):
    objects, turns = _turns(truths, found)
    taken, answer = set(), []
    for d in turns:
        near = [iou(d["bbox"], g["bbox"]) for g in objects]
        best = max(range(len(objects)), key=lambda k: (near[k], -k), default=None)
        if best is None or near[best] < t or best in taken:
            answer.append((d, "F", None))
        elif not counts(objects[best]):
            answer.append((d, "aside", objects[best]))
        else:
            taken.add(best)
            answer.append((d, "T", objects[best]))
    return answer


def confusion(truth, judged, t, threshold):
    """Return {(class of the object or None, class of the detection or None): count}, None for background and missed."""
    named, cells = names(truth), {}

    def add(*key):
        cells[key] = cells.get(key, 0) + 1

    shown = [row for row in judged if row[0]["score"] >= threshold]
    left_over = [g for g in truth["annotations"] if counts(g)]
    for d, said, g in shown:
        if said == "T":
            add(named[g["category_id"]], named[d["category_id"]])
            left_over = [other for other in left_over if other is not g]
    rest = [d for d, said, _ in shown if said == "F"]
    for d in sorted(rest, key=lambda d: (-d["score"], *d["bbox"], named[d["category_id"]])):
        near = [
            (iou(d["bbox"], g["bbox"]), order_of(g, named), k)
            for k, g in enumerate(left_over)
            if g["image_id"] == d["image_id"] and g["category_id"] != d["category_id"]
        ]
        best = max(near, default=None)
        if best is None or best[0] < t:
            add(None, named[d["category_id"]])
        else:
            add(named[left_over.pop(best[2])["category_id"]], named[d["category_id"]])
    for g in left_over:
        add(named[g["category_id"]], None)
    return cells


def errors(truth, judged, t, background):
    """Return [(detection, type, object or None, overlap)], the objects not found, and those of them that are missed."""
    named = names(truth)
    objects = [g for g in truth["annotations"] if counts(g)]
    taken = [g for _, said, g in judged if said == "T"]
    not_found = [g for g in objects if not any(g is other for other in taken)]
    typed = []
    for d, said, _ in judged:
        if said != "F":
            continue
        near = [(iou(d["bbox"], g["bbox"]), order_of(g, named), k) for k, g in enumerate(objects)]
        near = [n for n in near if objects[n[2]]["image_id"] == d["image_id"]]
        own = max((n for n in near if objects[n[2]]["category_id"] == d["category_id"]), default=(0, (), None))
        other = max((n for n in near if objects[n[2]]["category_id"] != d["category_id"]), default=(0, (), None))
        best = max(near, default=(0, (), None))
        if background <= own[0] < t:
            kind, about = "localisation", own
        elif other[0] >= t:
            kind, about = "class", other
        elif own[0] >= t:
            kind, about = "duplicate", own
        elif best[0] <= background:
            kind, about = "background", (None, (), None)
        else:
            kind, about = "both", best
        typed.append((d, kind, None if about[2] is None else objects[about[2]], about[0]))
    pointed = [g for _, kind, g, _ in typed if kind in ("localisation", "class")]
    missed = [g for g in not_found if not any(g is other for other in pointed)]
    return typed, not_found, missed


def corrected(truth, judged, typed, not_found, missed, interpolation="101-point"):
    """Return AP, and AP with each type corrected, as means over classes."""
    objects = [g for g in truth["annotations"] if counts(g)]
    right = [(d["score"], d["category_id"], True) for d, said, _ in judged if said == "T"]

    def false(kinds):
        return [(d["score"], d["category_id"], False) for d, kind, _, _ in typed if kind in kinds]

    kinds = ("localisation", "class", "both", "duplicate", "background")
    found = {"": _mean(truth, [*right, *false(kinds)], objects, interpolation)}
    for kind in kinds:
        rows = [*right, *false([k for k in kinds if k != kind])]
        if kind in ("localisation", "class"):
            for g in not_found:
                scores = [d["score"] for d, k, about, _ in typed if k == kind and about is g]
                rows += [(max(scores), g["category_id"], True)] if scores else []
        found[kind] = _mean(truth, rows, objects, interpolation)
    rows = [*right, *false(kinds)]
    found["missed"] = _mean(truth, rows, _without(objects, missed), interpolation)
    found["all false"] = _mean(truth, right, objects, interpolation)
    found["all missed"] = _mean(truth, rows, _without(objects, not_found), interpolation)
    return found


def _without(objects, gone):
    return [g for g in objects if not any(g is other for other in gone)]


def _mean(truth, rows, objects, interpolation):
    values = []
    for kind in names(truth):
        positives = sum(g["category_id"] == kind for g in objects)
        judged = sorted(((s, t) for s, k, t in rows if k == kind), key=lambda r: -r[0])
        found = areas(curve(judged), positives)
        values += [] if found is None else [found[interpolation]]
    return sum(values, Fraction(0)) / len(values) if values else None
