"""Every argument of every public verb, of any kind: an answer, or a refusal in one sentence, and nothing else."""

from operator import attrgetter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import curvewise as cw
from calls import BOTH, CLASS, FOUND, LABELS, SITE, THREE, TIME, TRUTH, VERBS, P, Q, Y, parameters
from fuzz.effort import effort, only_refusals
from fuzz.kinds import FRESH, KINDS

# by place: some of them cannot be hashed, not even by hypothesis
VALUES = st.integers(0, len(KINDS) + len(FRESH) - 1).map(
    lambda k: KINDS[k] if k < len(KINDS) else FRESH[k - len(KINDS)]()
)
TRIED = [(verb, name) for verb in VERBS for name in parameters(verb) if verb != "set_threads"]
SWEEP = cw.sweep(Y, P)
CLASSES, FLAGS = cw.multiclass(CLASS, THREE), cw.multilabel(LABELS, THREE)
MATCHED = cw.detection.match(TRUTH, FOUND)
FOLLOWED = cw.survival(TIME, Y, BOTH, horizons=[3.0, 6.0], replicates=9)
HULL = cw.joint_hull(Y, BOTH)
METHODS = {
    "Sweep.at": SWEEP.at,
    "Sweep.at_prevalence": SWEEP.at_prevalence,
    "Sweep.from_dict": cw.Sweep.from_dict,
    "Sweep.from_counts": lambda v: cw.Sweep.from_counts(v, [1, 2], [2, 1]),
    "Sweep.from_counts positives": lambda v: cw.Sweep.from_counts([2, 1], v, [2, 1]),
    "Sweep.from_counts total": lambda v: cw.Sweep.from_counts([2, 1], [1, 2], [2, 1], v),
    "Confusion": lambda v: cw.Confusion(tp=v, fp=1, fn=2, tn=3),
    "Confusion.f_beta": SWEEP.at(0.5).f_beta,
    "Confusion.net_benefit": SWEEP.at(0.5).net_benefit,
    "Confusion.rates": SWEEP.at(0.5).rates,
    "Confusion.expected_cost": lambda v: SWEEP.at(0.5).expected_cost(fp=v, fn=1),
    "Stream.update": lambda v: cw.Stream().update(Y, v),
    "Stream.merge": lambda v: cw.Stream().merge(v),
    "Stream resolution": lambda v: cw.Stream(resolution=v),
    "RocCurve.thin": cw.roc_curve(SWEEP).thin,
    "PrCurve.precision_at": cw.pr_curve(SWEEP).precision_at,
    "CostCurve.at": cw.cost_curve(SWEEP).at,
    "JointHull.mixture": HULL.mixture,
    "JointHull.best": lambda v: HULL.best(fp=v, fn=1),
    "Isotonic.apply": cw.isotonic(Y, P).apply,
    "Recalibration.apply": cw.recalibrate(Y, P, method="platt").apply,
    "Recalibration.from_json": cw.Recalibration.from_json,
    "BinormalRoc": lambda v: cw.BinormalRoc(v, 1),
    "BinormalRoc.tpr": cw.BinormalRoc(1, 1).tpr,
    "BinormalRoc.slope": cw.BinormalRoc(1, 1).slope,
    "BinormalRoc.partial_auc": cw.BinormalRoc(1, 1).partial_auc,
    "BinormalRoc.to_sweep": cw.BinormalRoc(1, 1).to_sweep,
    "Groups.gap": cw.by_group(Y, P, SITE).gap,
    "Groups.groups": cw.by_group(Y, P, SITE).groups,
    "Fairness.criterion": cw.fairness(Y, P, SITE, threshold=0.5, replicates=9).criterion,
    "Multiclass.roc_auc": CLASSES.roc_auc,
    "Multiclass.top_k_accuracy": CLASSES.top_k_accuracy,
    "Multiclass.sweep": CLASSES.sweep,
    "Multiclass.kappa": CLASSES.kappa,
    "Multiclass.log_loss": CLASSES.log_loss,
    "Multiclass.average": CLASSES.average,
    "Multiclass.by_group": lambda v: CLASSES.by_group(v, replicates=9),
    "Multilabel.at": FLAGS.at,
    "Multilabel.f_beta": FLAGS.f_beta,
    "Matched.at": MATCHED.at,
    "Matched.sweep": MATCHED.sweep,
    "Matched.interval": lambda v: MATCHED.interval(v, replicates=9),
    "Matched.errors": MATCHED.errors,
    "Matched.f_curve": lambda v: MATCHED.f_curve(beta=v),
    "Survival.at": FOLLOWED.at,
    "Survival.auc_curve": FOLLOWED.auc_curve,
    "Survival.compare": FOLLOWED.compare,
    "Survival.risk_groups": lambda v: FOLLOWED.risk_groups("a", groups=v),
    "Concordance.interval": cw.concordance(TIME, Y, P).interval,
    "Evaluation.from_dict": cw.Evaluation.from_dict,
    "Rows.of": cw.read_rows(Y, {"a": P, "b": Q}).of,
    "Result.to_frame": SWEEP.to_frame,
    "Result.to_markdown": SWEEP.table.to_frame,
}


def told(found):
    """Read all of a result: some of it is made when it is asked for."""
    str(found)
    if isinstance(found, cw.results.Result):
        found.to_dict()


@effort(1500)
@given(st.sampled_from(TRIED), VALUES)
def test_any_kind_of_argument_is_taken_or_refused(tried, value):
    verb, name = tried
    if callable(value) and name in ("rule", "function", "overlap", "metric", "metrics", "also"):
        return  # what somebody's own function raises is his
    with only_refusals():
        told(attrgetter(verb)(cw)(**{**VERBS[verb], name: value}))


@effort(300)
@given(st.sampled_from(sorted({verb for verb, _ in TRIED})), st.data())
def test_any_kinds_of_two_arguments(verb, data):
    names = data.draw(st.lists(st.sampled_from(parameters(verb)), min_size=2, max_size=2))
    values = {name: data.draw(VALUES) for name in names}
    if any(callable(value) for value in values.values()):
        return
    with only_refusals():
        told(attrgetter(verb)(cw)(**{**VERBS[verb], **values}))


@effort(600)
@given(st.sampled_from(sorted(METHODS)), VALUES)
def test_any_kind_of_argument_of_a_method(method, value):
    if callable(value):
        return
    with only_refusals():
        told(METHODS[method](value))


@pytest.mark.parametrize(
    "value", [np.zeros((4, 2)), "a\nb", {"a": P}, "x" * 10_000], ids=["array", "lines", "dict", "long"]
)
def test_a_refusal_is_short_and_on_one_line(value):
    for call in (lambda: cw.interval(value, Y, P), lambda: cw.operating_point(Y, P, value), lambda: SWEEP.at(value)):
        with pytest.raises(cw.CurvewiseError) as refused:
            call()
        assert "\n" not in str(refused.value)
        assert len(str(refused.value)) < 400
