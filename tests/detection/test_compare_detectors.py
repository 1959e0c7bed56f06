"""Detectors compared on the same images, all together and class by class."""

import math
from dataclasses import dataclass

import numpy as np
import pytest

import curvewise as cw
from curvewise.detection.numbers.catalogue import Reader, numbers
from curvewise.detection.numbers.ranked import Weights
from curvewise.detection.resampling.class_differences import class_differences
from curvewise.detection.resampling.compare_detectors import compare_detectors, compare_matched
from curvewise.detection.resampling.image_resampling import image_draws
from curvewise.evaluation.answers.detectors import better
from curvewise.inference.comparison import Comparison, holm_corrected
from detection.scenes import golden, renamed

FEW = {"replicates": 60}


def worse(found, seed=0, step=3):
    """The same detections, every third box moved away, and other scores."""
    rng = np.random.default_rng(seed)
    return [
        {**d, "bbox": [d["bbox"][0] + 300 * (k % step == 0), *d["bbox"][1:]], "score": float(rng.random())}
        for k, d in enumerate(found)
    ]


@pytest.fixture(scope="module")
def pair():
    truth, found = golden()
    return cw.detection.match(truth, found), cw.detection.match(truth, worse(found))


def test_a_difference_is_that_of_the_same_resamples(pair):
    a, b = pair
    found = compare_detectors({"a": a, "b": b}, **FEW)
    assert found.values == {"a": a.ap, "b": b.ap}
    draws, stream = image_draws([a, b]), np.random.default_rng(0).spawn(2)
    number, away = numbers(a)["ap"], []
    for k in range(60):
        weights = Weights(draws.draw(stream[k // 50]))
        away.append(Reader(a, weights).mean(number).value - Reader(b, weights).mean(number).value)
    gap = found.difference
    assert gap.value == a.ap - b.ap
    assert (gap.low, gap.high) == tuple(np.quantile(away, [0.025, 0.975]))
    assert gap.standard_error == pytest.approx(np.std(away, ddof=1))
    assert found.p_value == pytest.approx(2 / 60)  # every resample is on one side
    assert [n.code for n in found.notes] == ["few_images"]


def test_equal_detectors_do_not_differ_and_order_only_turns_the_sign(pair):
    a, b = pair
    same = compare_detectors({"a": a, "again": a}, **FEW)
    assert (same.difference.value, same.difference.low, same.difference.high, same.p_value) == (0, 0, 0, 1)
    one, two = compare_detectors({"a": a, "b": b}, **FEW), compare_detectors({"b": b, "a": a}, **FEW)
    assert one.difference.low == pytest.approx(-two.difference.high, abs=1e-15)
    assert one.p_value == pytest.approx(two.p_value)


@pytest.mark.parametrize("seed", range(3))
def test_no_name_and_no_order_moves_a_difference(pair, seed):
    truth, found = golden()
    other = renamed(truth, found, seed=seed)
    moved = renamed(truth, worse(found), seed=seed)
    assert [i["id"] for i in other[0]["images"]] == [i["id"] for i in moved[0]["images"]]
    models = [cw.detection.match(*side) for side in (other, moved)]
    for cluster in (None, {i: k % 9 for k, i in enumerate(models[0].images)}):
        c = compare_detectors(dict(zip("ab", models, strict=True)), cluster=cluster, **FEW)
        assert c.difference.value == pair[0].ap - pair[1].ap
        if cluster is None:
            assert repr(c.difference) == repr(compare_detectors(dict(zip("ab", pair, strict=True)), **FEW).difference)


def test_images_and_classes_may_come_in_another_order(pair):
    truth, found = golden()
    turned = {k: v[::-1] for k, v in truth.items() if isinstance(v, list)}

    def other_ids(rows, name="category_id"):
        return [{**r, name: 1000 - r[name]} for r in rows]

    turned |= {"categories": other_ids(turned["categories"], "id"), "annotations": other_ids(turned["annotations"])}
    b = cw.detection.match(turned, other_ids(worse(found)))
    assert b.classes != pair[1].classes
    a = pair[0]
    assert repr(compare_detectors({"a": a, "b": b}, **FEW)) == repr(compare_detectors({"a": a, "b": pair[1]}, **FEW))
    ours, theirs = (class_differences(a, other, **FEW) for other in (b, pair[1]))
    assert repr(ours) == repr(theirs)


def test_what_differs_is_named(pair):
    truth, found = golden()
    a = pair[0]
    shorter = {**truth, "annotations": truth["annotations"][:-2]}
    first = truth["annotations"][0]
    changed = {**truth, "annotations": [{**first, "bbox": [1, 1, 2, 2]}, *truth["annotations"][1:]]}
    fewer = [i["id"] for i in truth["images"]][1:]
    wrong = {
        "2 objects only in one of them": cw.detection.match(shorter, found),
        "4 objects|2 objects": cw.detection.match(changed, found),
        "1 image only in one of them": cw.detection.match(truth, found, images=fewer, unknown="drop"),
        r"different options \(max_detections 100 and 10\)": cw.detection.match(truth, found, max_detections=10),
        r"ties 'block' and 'row'": cw.detection.match(truth, found, ties="row"),
    }
    for message, b in wrong.items():
        with pytest.raises(cw.CurvewiseError, match=f"'a' and 'b' cannot be compared: .*({message})"):
            compare_detectors({"a": a, "b": b}, **FEW)
        with pytest.raises(cw.CurvewiseError, match=message):
            class_differences(a, b, **FEW)


def test_three_detectors_have_all_pairs_with_holm(pair):
    truth, found = golden()
    models = {"a": pair[0], "b": pair[1], "c": cw.detection.match(truth, worse(found, 5, 4))}
    c = compare_detectors(models, **FEW)
    assert [(p.first, p.second) for p in c.pairs] == [("a", "b"), ("a", "c"), ("b", "c")]
    assert [p.p_holm for p in c.pairs] == holm_corrected([p.p_value for p in c.pairs])
    for p in c.pairs:
        assert p.simultaneous.low <= p.difference.low
        assert p.difference.high <= p.simultaneous.high


def test_margins_numbers_classes_and_functions(pair):
    models = dict(zip("ab", pair, strict=True))
    assert compare_detectors(models, margin=0.5, **FEW).pairs[0].p_equivalent < 0.05
    assert compare_detectors(models, metric="ap50", **FEW).values["a"] == pair[0].ap50
    name = pair[0].classes[0]
    one = compare_detectors(models, cls=name, **FEW)
    assert one.metric == f"ap of {name}"
    assert one.values["b"] == pair[1].class_ap()[0]
    mine = compare_detectors(models, metric=lambda r: r.mean(numbers(r.m)["ap75"]).value, **FEW)
    assert mine.difference.value == pair[0].ap75 - pair[1].ap75
    with pytest.raises(cw.OptionError, match="metric"):
        compare_detectors(models, metric="roc_auc")
    with pytest.raises(cw.CurvewiseError, match="two detectors"):
        compare_detectors({"a": pair[0]})


def test_classes_are_compared_one_by_one_with_holm(pair):
    a, b = pair
    found = class_differences(a, b, names=("old", "new"), **FEW)
    ap = [m.class_ap() for m in pair]
    known = ~np.isnan(ap[0])
    assert found.classes == tuple(np.array(a.classes, dtype=object)[known])
    np.testing.assert_array_equal(found.values, np.stack([v[known] for v in ap], axis=1))
    assert list(found.p_holm) == holm_corrected(list(found.p_value))
    one = compare_detectors({"old": a, "new": b}, cls=found.classes[1], **FEW).difference
    assert (found.differences[1].low, found.differences[1].high) == (one.low, one.high)
    assert list(found.table.columns) == ["class", "old", "new", "difference", "low", "high", "p", "p_holm"]


def test_options_of_compare_that_do_not_apply_are_refused(pair):
    models = dict(zip("ab", pair, strict=True))
    assert isinstance(compare_matched(models, {"method": "bootstrap", **FEW}), Comparison)
    for options, message in (
        ({"method": "delong"}, "method: expected one of None, 'bootstrap'"),
        ({"against": 0.5}, "against: detectors are compared with each other"),
        ({"clusters": [1]}, "clusters: unknown option of a comparison of detectors; did you mean 'cluster'?"),
    ):
        with pytest.raises(cw.OptionError) as caught:
            compare_matched(models, options)
        assert message in str(caught.value)


@dataclass
class Scored:
    """Something else that compares itself."""

    value: float

    @staticmethod
    def compare_models(models, **options):
        return {name: m.value for name, m in models.items()}, options


def test_compare_hands_models_over_that_compare_themselves():
    values, options = cw.compare({"a": Scored(1), "b": Scored(2)}, metric="x", margin=0.1, extra=3)
    assert values == {"a": 1, "b": 2}
    assert options == {"metric": "x", "level": 0.95, "margin": 0.1, "rng": 0, "replicates": 1000, "extra": 3}
    with pytest.raises(cw.OptionError, match="expected a Scored for every model, got another kind for 'b'"):
        cw.compare({"a": Scored(1), "b": [0, 1]}, metric="x")
    with pytest.raises(cw.OptionError, match="scores"):
        cw.compare({"a": Scored(1), "b": Scored(2)}, {"a": [1]}, metric="x")


def test_compare_takes_matched_detections(pair):
    models = dict(zip("ab", pair, strict=True))
    ours, direct = cw.compare(models, metric="ap", **FEW), compare_detectors(models, **FEW)
    assert repr(ours) == repr(direct)
    assert not math.isnan(ours.p_value)


def test_the_best_of_three_detectors_says_by_how_much_picking_flatters():
    rng = np.random.default_rng(2)
    y = np.arange(300) < 100
    models = {name: rng.normal(size=300) + shift * y for name, shift in (("a", 3), ("b", 1), ("c", 1))}
    found = cw.compare(y, models, metric="average_precision")
    told = better(found)
    assert [n.code for n in told] == ["detector_better", "picked"]
    assert told[1].values["model"] == "a"
    assert f"about {found.selection_bias:.3f} of average precision" in str(told[1])
    two = cw.compare(y, {name: models[name] for name in "ab"}, metric="average_precision")
    assert [n.code for n in better(two)] == ["detector_better", "detector_difference"]
