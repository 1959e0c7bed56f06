"""Resamples of images: what is drawn, what is read from them, and the intervals that they give."""

import math

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import curvewise as cw
from curvewise.detection.numbers.at_threshold import detections_at
from curvewise.detection.numbers.catalogue import Reader, numbers
from curvewise.detection.numbers.ranked import Weights
from curvewise.detection.resampling.image_resampling import image_draws
from curvewise.detection.resampling.intervals import interval, resampled_numbers
from curvewise.detection.resampling.replicates import METHODS, recentred
from curvewise.detection.resampling.threshold_intervals import threshold_intervals
from curvewise.inference.limits import from_replicates
from detection.scenes import golden, renamed, scenes
from ring import examples

FEW = {"replicates": 40}


@pytest.fixture(scope="module")
def matched():
    return cw.detection.match(*golden())


def row_of_images(n, good):
    """One object per image; the first ``good`` are found, by falling score."""
    truth = {"image": list(range(n)), "class": ["a"] * n, "box": [[10.0 * k, 0, 9, 9] for k in range(n)]}
    where = [[10.0 * k + (0 if k < good else 500), 0, 9, 9] for k in range(n)]
    return truth, {**truth, "box": where, "score": [1 - k / n for k in range(n)]}


def codes(estimate):
    return [n.code for n in estimate.notes]


# ---- reading with weights ----


@given(scenes(images=4), st.lists(st.integers(0, 3), min_size=4, max_size=4))
@settings(max_examples=examples(60), deadline=None)
def test_a_weight_is_that_many_copies_of_the_image(scene, weights):
    truth, found = scene
    m = cw.detection.match(truth, found)
    copies = [(k, f"{i['id']} {k}") for i in truth["images"] for k in range(weights[i["id"] - 1])]

    def copied(rows):
        return [
            {**r, "image_id": f"{r['image_id']} {k}", "id": f"{n} {k}"}
            for n, r in enumerate(rows)
            for k in range(weights[r["image_id"] - 1])
        ]

    annotations = copied(truth["annotations"])
    if not any(not a["iscrowd"] for a in annotations):
        return
    more = cw.detection.match(
        {**truth, "images": [{"id": name} for _, name in copies], "annotations": annotations}, copied(found)
    )
    reader = Reader(m, Weights(np.array(weights)))
    for name, number in numbers(m).items():
        mean, other = reader.mean(number), more.number(name)
        assert mean.classes == other.classes
        assert mean.value == pytest.approx(other.value, abs=1e-14, nan_ok=True)


def test_weights_of_one_detector_are_not_those_of_another():
    truth, found = row_of_images(6, 4)
    a, b = cw.detection.match(truth, found), cw.detection.match(truth, {**found, "score": found["score"][::-1]})
    weights = Weights(np.array([2, 0, 1, 1, 1, 1]))
    number = numbers(a)["ap"]
    assert Reader(a, weights).mean(number) != Reader(b, weights).mean(number)
    assert Reader(b, weights).mean(number) == Reader(b, Weights(weights.image)).mean(number)


@pytest.mark.parametrize("interpolation", ["all-point", "11-point", "step", "101-point (pycocotools)"])
def test_images_without_a_hit_have_area_0(interpolation):
    m = cw.detection.match(*row_of_images(6, 3))
    reader = Reader(m, Weights(np.array([0, 0, 0, 1, 2, 1])), interpolation=interpolation)
    assert reader.mean(numbers(m)["ap"]).value == 0


# ---- what is drawn ----


def test_images_are_drawn_with_replacement_and_halves_without(matched):
    draws, rng = image_draws([matched]), np.random.default_rng(1)
    for _ in range(20):
        times = draws.draw(rng)
        assert times.sum() == len(matched.images) == draws.units
        one, other = draws.halves(rng)
        assert set(one + other) == {1}
        assert abs(int(one.sum()) - int(other.sum())) <= 1


def test_clusters_are_drawn_whole(matched):
    videos = [k % 7 for k in range(len(matched.images))]
    draws = image_draws([matched], videos)
    assert (draws.units, draws.clustered) == (7, True)
    times = draws.draw(np.random.default_rng(0))
    drawn = {v: {int(t) for t, w in zip(times, videos, strict=True) if w == v} for v in set(videos)}
    assert all(len(t) == 1 for t in drawn.values())
    assert sum(next(iter(t)) for t in drawn.values()) == 7


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("method", METHODS)
def test_no_name_and_no_order_of_rows_moves_an_interval(matched, method, seed):
    other = cw.detection.match(*renamed(*golden(), seed=seed, name=str if seed else int))
    for name in ("ap", "ap75", "ar_10", "ap_large"):
        assert _ends(interval(matched, name, method=method, **FEW)) == _ends(
            interval(other, name, method=method, **FEW)
        )


@pytest.mark.parametrize("seed", range(3))
def test_no_name_moves_classes_thresholds_or_clusters(matched, seed):
    truth, found = golden()
    images = [i["id"] for i in truth["images"]]
    marked = {**truth, "images": [{**i, "video": f"v{images.index(i['id']) // 3}"} for i in truth["images"]]}
    m, other = cw.detection.match(marked, found), cw.detection.match(*renamed(marked, found, seed=seed))
    for cluster in (None, "video"):
        a, b = (resampled_numbers(x, cluster=cluster, **FEW) for x in (m, other))
        for place, name in enumerate(m.classes):
            ours, theirs = a.class_estimate(place), b.class_estimate(other.classes.index(name))
            assert _ends(ours) == _ends(theirs)
        at, again = (threshold_intervals(x, 0.5, cluster=cluster, **FEW) for x in (m, other))
        assert {k: _ends(e) for k, e in at.items()} == {k: _ends(e) for k, e in again.items()}


def _ends(e):
    return repr((e.value, e.low, e.high, e.standard_error, e.replicates))


def test_images_alike_but_for_the_class_have_an_order_of_their_own():
    # two images with equal boxes and scores, whose classes differ: the order must not be that of their names
    truth = {"image": ["p", "q", "r"], "class": ["x", "y", "y"], "box": [[0, 0, 9, 9]] * 3}
    found = {**truth, "score": [0.5] * 3}
    draws = []
    for names in ("pqr", "qpr", "rqp"):
        new = dict(zip("pqr", names, strict=True))
        sides = [{**side, "image": [new[i] for i in side["image"]]} for side in (truth, found)]
        m = cw.detection.match(*sides)
        draws.append(dict(zip(m.images, image_draws([m]).unit.tolist(), strict=True))[new["p"]])
    assert len(set(draws)) == 1


def test_the_same_draws_for_any_number_of_threads():
    g = np.random.default_rng(2)
    n = 8000
    truth = {"image": list(range(n)), "class": ["a"] * n, "box": [[10.0 * k, 0, 9, 9] for k in range(n)]}
    found = {k: v * 4 for k, v in truth.items()} | {"score": g.random(4 * n)}
    m = cw.detection.match(truth, found)
    ends = []
    for threads in (1, 3):
        cw.set_threads(threads)
        ends.append(_ends(interval(m, "ap50", replicates=120)))
    cw.set_threads(None)
    assert ends[0] == ends[1]


def test_a_seed_gives_the_same_interval_and_another_seed_another(matched):
    assert _ends(interval(matched, **FEW)) == _ends(interval(matched, rng=0, **FEW))
    assert _ends(interval(matched, **FEW)) != _ends(interval(matched, rng=1, **FEW))
    assert _ends(interval(matched, rng=np.random.default_rng(0), **FEW)) == _ends(interval(matched, **FEW))


# ---- intervals ----


def test_a_number_alone_is_what_all_numbers_give(matched):
    together = resampled_numbers(matched, **FEW)
    for name, e in together.estimates().items():
        assert e.value == matched.number(name).value
        assert _ends(interval(matched, name, **FEW)) == _ends(e)
    assert _ends(interval(matched, cls=matched.classes[1], **FEW)) == _ends(together.class_estimate(1))


def test_ends_are_those_of_the_replicates(matched):
    drawn = resampled_numbers(matched, ["ap"], by_class=None, **FEW)
    values, value = drawn.drawn[:, 0], matched.ap
    for method in ("percentile", "basic"):
        e = drawn.estimate("ap", method)
        assert (e.low, e.high) == from_replicates(method, value, values, 0.95, lambda: values)
    error = float(np.std(values, ddof=1))
    e = drawn.estimate("ap")
    ends = recentred(value, float(drawn.bias[0]), error, 0.95, len(matched.images), share=True)
    assert (e.low, e.high, e.method, e.standard_error) == (*ends, "recentred", error)


def test_the_bias_is_twice_what_halves_add(matched):
    drawn = resampled_numbers(matched, ["ap50"], by_class="ap50", **FEW)
    source = np.random.default_rng(0)
    source.spawn(1)  # of the resamples: 40 are one batch
    stream, number = source.spawn(1)[0], numbers(matched)["ap50"]
    halves = [half for _ in range(50) for half in drawn.draws.halves(stream)]
    known = ~np.isnan(matched.class_ap(0.5))
    added = np.array([Reader(matched, Weights(half)).per_class(number)[known] for half in halves])
    of_class = 2 * (np.nanmean(added, axis=0) - matched.class_ap(0.5)[known])
    np.testing.assert_allclose(drawn.bias[1:][known], of_class, atol=1e-12)
    assert drawn.bias[0] == pytest.approx(np.mean(of_class), abs=1e-12)


def test_recentred_ends_stay_inside_and_widen_with_bias():
    assert recentred(1.0, 0.0, 0.0, 0.95, 20, share=True) == pytest.approx((0.025 ** (1 / 20), 1))
    assert recentred(0.0, 0.0, 0.0, 0.95, 20, share=True) == pytest.approx((0, 1 - 0.025 ** (1 / 20)))
    low, high = recentred(0.2, 0.5, 0.01, 0.95, 20, share=True)
    assert low * high / ((1 - low) * (1 - high)) == pytest.approx((0.1 / 0.9) ** 2)  # half the way to 0 at most
    plain, biased = (recentred(0.5, b, 0.05, 0.95, 200, share=False) for b in (0.0, 0.15))
    assert np.isclose(sum(biased) / 2, 0.35)
    assert np.isclose((biased[1] - biased[0]) / (plain[1] - plain[0]), math.sqrt(2))


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("name", ["ap", "ap_small", "ar_1", "ar_large"])
def test_ends_are_between_0_and_1_and_widen_with_the_level(matched, name, method):
    wide, narrow = (interval(matched, name, method=method, level=level, **FEW) for level in (0.99, 0.5))
    assert 0 <= wide.low <= narrow.low <= narrow.high <= wide.high <= 1


def test_other_methods_say_how_often_they_held(matched):
    assert "covers_less" in codes(interval(matched, method="percentile", **FEW))
    assert "covers_less" not in codes(interval(matched, **FEW))
    assert "covers_less" not in codes(interval(matched, "ar_100", method="percentile", **FEW))
    with pytest.raises(cw.OptionError, match="method: expected one of"):
        interval(matched, method="wilson")


def test_few_images_rare_classes_and_lost_ones_are_told():
    truth, found = row_of_images(40, 30)
    truth["class"] = ["a"] * 39 + ["b"]
    found["class"] = truth["class"]
    e = interval(cw.detection.match(truth, found), replicates=300)
    assert codes(e)[:3] == ["few_images", "rare_classes_interval", "resamples_lost_class"]
    lost = e.notes[2].values["lost"]
    assert 0.27 < lost / 300 < 0.46  # (1 - 1/40) ** 40 = .36
    many = cw.detection.match(*row_of_images(130, 100))
    assert "few_images" not in codes(interval(many, **FEW))


def test_a_class_in_one_image_has_no_interval():
    truth, found = row_of_images(40, 30)
    truth["class"] = ["a"] * 39 + ["b"]
    found["class"] = truth["class"]
    m = cw.detection.match(truth, found)
    e = interval(m, cls="b", **FEW)
    assert (e.has_interval, e.reason.code, e.value) == (False, "one_image", 0.0)
    assert interval(m, cls="a", cluster=[0] * 40, **FEW).reason.code == "one_cluster"


def test_what_is_undefined_has_a_reason():
    truth = {
        "images": [{"id": k} for k in range(3)],
        "categories": [{"id": k, "name": k} for k in "az"],
        "annotations": [{"id": k, "image_id": k, "category_id": "a", "bbox": [0, 0, 9, 9]} for k in range(3)],
    }
    m = cw.detection.match(truth, [{"image_id": 0, "category_id": "a", "bbox": [0, 0, 9, 9], "score": 0.5}])
    assert interval(m, "ap_large", **FEW).reason.code == "no_class_of_size"
    e = interval(m, cls="z", **FEW)
    assert (math.isnan(e.value), e.reason.values) == (True, {"truths": 0, "detections": 0})


def test_all_found_in_every_resample_is_not_certain():
    e = interval(cw.detection.match(*row_of_images(50, 50)), **FEW)
    assert (e.value, e.high) == (1.0, 1.0)
    assert 0.9 < e.low < 1
    assert "all_resamples_equal" in codes(e)


def test_a_function_of_a_reader(matched):
    def recall_at_half(reader):
        counted = reader.counted(0)
        return counted.hits.sum() / counted.positives.sum()

    e = interval(matched, recall_at_half, **FEW)
    assert e.metric == "recall_at_half"
    assert e.value == pytest.approx(detections_at(matched, -math.inf).pooled.recall)
    assert e.low < e.value < e.high
    with pytest.raises(cw.OptionError, match="cls"):
        interval(matched, recall_at_half, cls=matched.classes[0])


# ---- labels of images ----


def test_clusters_in_every_form_are_the_same(matched):
    names, videos = list(matched.images), [f"v{k % 9}" for k in range(len(matched.images))]
    pairs = list(zip(names, videos, strict=True))[::-1]
    forms = [
        videos,
        np.array(videos),
        dict(pairs),
        {"image_id": [p[0] for p in pairs], "video": [p[1] for p in pairs]},
        pd.DataFrame(pairs, columns=["image", "video"]),
        pl.DataFrame({"video": [p[1] for p in pairs], "image": [p[0] for p in pairs]}),
        pd.Series([p[1] for p in pairs], index=[p[0] for p in pairs]),
    ]
    ends = {_ends(interval(matched, cluster=form, **FEW)) for form in forms}
    assert len(ends) == 1
    assert ends != {_ends(interval(matched, **FEW))}


def test_labels_that_do_not_fit_are_refused(matched):
    names = list(matched.images)
    n = len(names)
    good = dict.fromkeys(names, 1)
    wrong = {
        rf"2 images of {n} without a label": dict.fromkeys(names[2:], 1),
        r"1 label of images that are not judged here \('other'\)": {**good, "other": 1},
        rf"expected one label per image, {n} in the order": [1, 2],
        rf"3 images of {n} without a label": [None] * 3 + [1] * (n - 3),
        "there are none": "video",
        "1 image given more than once": {"image": [*names, names[0]], "video": [1] * (n + 1)},
        "expected a column of images": pd.DataFrame({"x": [1], "image": [2], "y": [3]}),
    }
    for message, given_ in wrong.items():
        with pytest.raises(cw.CurvewiseError, match=f"cluster: .*{message}"):
            interval(matched, cluster=given_, **FEW)


# ---- at a threshold ----


@pytest.mark.parametrize("cls", [None, 0])
def test_rates_at_a_threshold_have_their_values(matched, cls):
    name = None if cls is None else matched.classes[cls]
    found = detections_at(matched, 0.4)
    row = found.pooled if cls is None else found.by_class[name]
    estimates = threshold_intervals(matched, 0.4, cls=name, **FEW)
    want = {"precision": row.precision, "recall": row.recall, "f1": row.f}
    want["false_positives_per_image"] = row.false_positives_per_image
    assert {k: e.value for k, e in estimates.items()} == pytest.approx(want)
    assert all(e.low < e.value < e.high for e in estimates.values())


def test_detections_that_go_together_widen_the_interval():
    truth, found = row_of_images(120, 80)
    m = cw.detection.match(truth, found)
    blocks = [k // 10 for k in range(120)]  # found and missed ones in whole blocks
    single, together = (threshold_intervals(m, 0, cluster=c)["recall"] for c in (None, blocks))
    assert together.high - together.low > 2 * (single.high - single.low)


def test_no_wrong_detection_is_not_certainty_and_nothing_shown_is_undefined():
    m = cw.detection.match(*row_of_images(30, 30))
    e = threshold_intervals(m, 0.5, **FEW)["false_positives_per_image"]
    assert (e.value, e.low, e.high) == (0.0, 0.0, pytest.approx(-math.log(0.025) / 30))
    nothing = threshold_intervals(m, 7, **FEW)
    assert nothing["precision"].reason.code == "detector_rate_undefined"
    assert nothing["recall"].value == 0


def test_methods_of_matched_pass_their_options_on(matched):
    assert matched.interval("ar", method="percentile", **FEW).method == "percentile"
    assert matched.compare(matched, margin=0.1, **FEW).pairs[0].p_equivalent is not None
    with pytest.raises(cw.UnknownOptionError, match="did you mean 'replicates'"):
        matched.interval("ar", replicate=10)
