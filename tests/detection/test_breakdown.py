"""Average precision by size, overlap and group of images."""

import json
import math

import numpy as np
import pytest

import curvewise as cw
from curvewise.detection.numbers.breakdown import by_images
from curvewise.detection.resampling.intervals import AT_IOU, resampled_numbers
from detection.scenes import golden, renamed

FEW = {"replicates": 40}
SITES = ("north", "south", "west")


def with_sites():
    truth, found = golden()
    images = [{**i, "site": SITES[k % 3]} for k, i in enumerate(truth["images"])]
    return {**truth, "images": images}, found


@pytest.fixture(scope="module")
def matched():
    return cw.detection.match(*with_sites())


def codes(result):
    return [n.code for n in result.notes]


def test_a_group_is_what_its_images_alone_give(matched):
    truth, found = with_sites()
    groups = by_images(matched, "site", **FEW)
    assert (groups.column, [g.name for g in groups.groups]) == ("site", sorted(SITES))
    assert groups.overall.value == matched.ap
    for g in groups.groups:
        own = [i["id"] for i in truth["images"] if i["site"] == g.name]
        alone = cw.detection.match(truth, [d for d in found if d["image_id"] in own], images=own)
        assert (g.images, g.classes) == (len(own), alone.number("ap").classes)
        assert g.ap.value == pytest.approx(alone.ap, abs=1e-14)
        assert g.truths == int(np.count_nonzero(alone.counting[:, 0]))
        assert g.ap.low < g.ap.high


def test_sizes_are_the_numbers_of_the_summary(matched):
    shared = resampled_numbers(matched, **FEW)
    groups = by_images(matched, "area", resampled=shared)
    assert [g.name for g in groups.groups] == ["small", "medium", "large"]
    for g in groups.groups:
        assert repr(g.ap) == repr(shared.estimate(f"ap_{g.name}"))
        assert g.classes == matched.number(f"ap_{g.name}").classes
    assert repr(by_images(matched, "area", **FEW)) == repr(groups)


def test_overlaps_have_no_gaps(matched):
    shared = resampled_numbers(matched, **FEW)
    groups = by_images(matched, "iou", resampled=shared)
    assert [g.name for g in groups.groups] == list(matched.iou)
    assert groups.groups[0].ap.value == matched.ap50
    assert repr(groups.groups[5].ap) == repr(shared.estimate((AT_IOU, 5)))
    assert groups.gap is None
    assert "gap" not in groups.table.columns


def test_gaps_are_to_the_best_from_the_same_draws(matched):
    groups = by_images(matched, "site", **FEW)
    best = max(groups.groups, key=lambda g: g.ap.value)
    assert best.gap is None
    others = [g for g in groups.groups if g is not best]
    for g in others:
        assert g.gap.value == best.ap.value - g.ap.value
        assert -1 <= g.gap.low <= g.gap.high <= 1
        assert g.gap.level == 0.95
    assert groups.gap.value == max(g.gap.value for g in others)
    assert "gaps_of_groups" in codes(groups)


def test_two_groups_alike_have_no_gap():
    # the same images twice, under other names: one group each
    truth, found = golden()
    ids = [i["id"] for i in truth["images"]]
    moved = {i: i + 10_000 for i in ids}
    twice = {
        **truth,
        "images": [*truth["images"], *({"id": moved[i]} for i in ids)],
        "annotations": [
            *truth["annotations"],
            *({**a, "id": a["id"] + 10_000, "image_id": moved[a["image_id"]]} for a in truth["annotations"]),
        ],
    }
    m = cw.detection.match(twice, [*found, *({**d, "image_id": moved[d["image_id"]]} for d in found)])
    groups = by_images(m, {i: "old" if i < 10_000 else "new" for i in m.images}, **FEW)
    assert groups.gap.value == 0
    assert groups.gap.low < 0 < groups.gap.high


def test_intervals_of_gaps_widen_with_the_number_of_groups(matched):
    two = {i: "x" if k % 6 < 3 else "y" for k, i in enumerate(matched.images)}
    few = by_images(matched, two, **FEW)
    shared = by_images(matched, {i: (s if s == "x" else f"y{k % 5}") for k, (i, s) in enumerate(two.items())}, **FEW)
    assert few.notes[-1].values["pairs"] == 1
    assert shared.notes[-1].values["pairs"] == 15


def test_classes_without_objects_in_a_group_are_named(matched):
    truths = matched.scene.truths
    held = set(truths.image[(truths.label == 0) & matched.counting[:, 0]].tolist())
    groups = by_images(matched, ["has" if k in held else "lacks" for k in range(len(matched.images))], **FEW)
    has, lacks = groups.groups
    with_objects = {matched.classes[k] for k in np.flatnonzero(matched.counted(0).positives)}
    assert matched.classes[0] in lacks.absent
    assert matched.classes[0] not in has.absent
    for g in groups.groups:
        assert len(g.absent) == len(with_objects) - g.classes
    told = next(n for n in groups.notes if n.code == "group_lacks_classes")
    assert str(matched.classes[0]) in str(told)


def test_a_group_without_objects_is_undefined(matched):
    image = set(matched.scene.truths.image.tolist())
    empty = [k for k in range(len(matched.images)) if k not in image]
    assert empty
    groups = by_images(matched, ["none" if k in empty else "some" for k in range(len(matched.images))], **FEW)
    none = groups.groups[0]
    assert (none.name, math.isnan(none.ap.value), none.ap.reason.code, none.gap) == ("none", True, "no_truths", None)


def test_images_without_a_label_are_a_group(matched):
    sites = [None, "a", "b"] * 20
    groups = by_images(matched, sites[: len(matched.images)], **FEW)
    assert [g.name for g in groups.groups] == ["a", "b", "(missing)"]


def test_without_intervals_nothing_is_drawn(matched):
    for column in ("site", "area", "iou"):
        groups = by_images(matched, column, intervals=False)
        assert not any(g.ap.has_interval for g in groups.groups)
        assert "low" not in groups.table.columns
        want = [g.ap.value for g in by_images(matched, column, **FEW).groups]
        assert [g.ap.value for g in groups.groups] == want


def test_no_name_moves_a_group(matched):
    truth, found = with_sites()
    other = cw.detection.match(*renamed(truth, found, seed=3))
    for column in ("site", "area"):
        assert str(by_images(matched, column, **FEW).table) == str(by_images(other, column, **FEW).table)


def test_what_cannot_be_broken_down_is_refused(matched):
    with pytest.raises(cw.OptionError, match=r"by: the images have no attribute 'sites'; did you mean 'site'\?"):
        by_images(matched, "sites")
    plain = cw.detection.match(*with_sites(), areas={})
    with pytest.raises(cw.OptionError, match="by: there are no size ranges"):
        by_images(plain, "area")


def test_the_dict(matched):
    plain = json.loads(json.dumps(by_images(matched, "site", **FEW).to_dict()))
    assert plain["schema"] == "curvewise.detection_groups"
    assert [g["name"] for g in plain["groups"]] == sorted(SITES)
    assert plain["groups"][0]["ap"]["method"] == "recentred"
