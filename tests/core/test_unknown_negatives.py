"""Sweeps of detections: negatives that nobody counted, positives that no score reaches."""

import json

import pytest

import curvewise as cw

# three objects, two found; one false alarm between them
FOUND = cw.Sweep.from_counts([0.9, 0.8, 0.7], [1, 0, 1], [0, 1, 0], total_positives=3, negatives_known=False)


def test_what_needs_no_negatives_is_read():
    assert FOUND.negatives is None
    assert cw.average_precision(FOUND) == pytest.approx((1 + 2 / 3) / 3)
    c = FOUND.at(0.75)
    assert (c.tp, c.fp, c.fn, c.tn) == (1, 1, 2, None)
    assert (c.precision, c.recall, c.f1) == (0.5, pytest.approx(1 / 3), 0.4)
    assert cw.pr_auc(FOUND, interpolation="step") == pytest.approx(cw.average_precision(FOUND))
    assert cw.score("precision_at_recall", FOUND, recall=0.6) == pytest.approx(2 / 3)
    assert "negatives unknown" in str(FOUND)


@pytest.mark.parametrize(
    ("read", "name"),
    [
        (lambda s: s.n, "The number of rows"),
        (lambda s: s.prevalence, "Prevalence"),
        (cw.roc_auc, "The area under the ROC curve"),
        (cw.roc_curve, "A ROC curve"),
        (lambda s: s.at_prevalence(0.1), "A sweep at another prevalence"),
        (lambda s: s.at(0.75).specificity, "true negatives"),
        (lambda s: s.at(0.75).accuracy, "true negatives"),
        (lambda s: cw.score("accuracy", s, threshold=0.75), "true negatives"),
        (lambda s: cw.score("specificity", s, threshold=0.75), "true negatives"),
        (lambda s: cw.score("ks", s), "Kolmogorov"),
    ],
)
def test_what_needs_them_is_refused_by_name(read, name):
    with pytest.raises(cw.UndefinedMetricError, match=name) as caught:
        read(FOUND)
    assert "unknown" in str(caught.value)


def test_the_table_of_counts_says_why():
    rows = {r["metric"]: r for r in FOUND.at(0.75).table.rows()}
    assert rows["recall"]["low"] is not None
    assert rows["specificity"]["meaning"] == "undefined: the number of true negatives is unknown"


def test_positives_without_any_score_are_a_sweep():
    none = cw.Sweep.from_counts([], [], [], total_positives=4, negatives_known=False)
    assert none.at(0.5).recall == 0
    assert cw.average_precision(none) == 0
    assert cw.pr_auc(none) == 0
    assert (none + FOUND).positives == 7
    assert cw.average_precision(none + FOUND) == pytest.approx((1 + 2 / 3) / 7)
    assert cw.Sweep.from_dict(json.loads(json.dumps(none.to_dict()))) == none


def test_they_add_and_travel():
    both = FOUND + FOUND
    assert both.negatives is None
    assert both.positives == 6
    again = cw.Sweep.from_dict(json.loads(json.dumps(both.to_dict())))
    assert again == both
    assert again.negatives is None


def test_rules_without_negatives_choose_a_threshold():
    point = cw.operating_point(FOUND, cw.rules.max_f(1))
    assert point.threshold == 0.7
    assert point.value == pytest.approx(2 / 3)
    assert (point.confusion.tp, point.confusion.fp, point.confusion.fn, point.confusion.tn) == (2, 1, 1, None)
    assert point.estimates["recall"].value == pytest.approx(2 / 3)
    assert not any(e.has_interval for e in point.estimates.values())  # rows of one image depend on each other
    assert point.threshold_interval is None
    assert {n.code for n in point.notes} == {"few_positives_chosen", "unknown_negatives_no_interval"}
    assert "67 of 100 alarms are correct" in point.sentence
    assert "阴性的数目未知" in point.sentence_in("zh")
    assert "TN unknown" in str(point.choice)
    assert json.loads(json.dumps(point.to_dict()))["cost_ratio"] is None
    assert cw.operating_point(FOUND, cw.rules.min_precision(1.0)).threshold == 0.9
    assert cw.operating_point(FOUND, cw.rules.max_alarms(2)).confusion.tp == 1
    assert cw.operating_point(FOUND, lambda c: c.jaccard).threshold == 0.7
    nothing = cw.operating_point(FOUND, lambda c: -c.fp - c.tp)
    assert nothing.flags_nothing
    assert "no alarm" in nothing.sentence


@pytest.mark.parametrize(
    "rule",
    [
        cw.rules.youden(),
        cw.rules.min_cost(fp=1, fn=2),
        cw.rules.max_f(1, prevalence=0.1),
        cw.rules.max_alarms(0.5),
        cw.rules.min_recall(0.5),
        cw.rules.max_fpr(0.5),
        cw.rules.max_mcc(),
        cw.rules.max_kappa(),
        cw.rules.equal_error(),
        cw.rules.closest_topleft(),
        cw.rules.max_net_benefit(0.2),
        cw.rules.min_specificity(0.5),
        lambda c: c.accuracy,
    ],
    ids=lambda rule: getattr(rule, "name", "function"),
)
def test_rules_that_need_negatives_are_refused(rule):
    with pytest.raises(cw.UndefinedMetricError, match="unknown here"):
        cw.operating_point(FOUND, rule)


def test_a_curve_without_any_score_is_empty():
    none = cw.Sweep.from_counts([], [], [], total_positives=4, negatives_known=False)
    curve = cw.pr_curve(none)
    assert (len(curve), curve.average_precision, len(curve.thin(10))) == (0, 0, 0)
    assert len(cw.threshold_rates(none)) == 0
    for interpolation in ("step", "envelope", "11-point", "101-point"):
        assert cw.pr_auc(none, interpolation=interpolation) == 0
    with pytest.raises(cw.UndefinedMetricError, match="no positive has a score"):
        curve.precision_at(0.5)
    with pytest.raises(cw.UndefinedMetricError, match="needs scores"):
        cw.operating_point(none, cw.rules.max_f(1))
