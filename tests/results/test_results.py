"""Everything that a verb returns keeps the same conventions: reflected over all classes, and over real results."""

import dataclasses
import importlib
import json
import pkgutil
from contextlib import nullcontext, suppress
from functools import cache

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
import polars as pl
import pytest

import curvewise as cw
from curvewise.figures.registry import registered

mpl.use("agg")
BASES = ("Matches", "Readings", "AnyGroup", "EvaluationParts")  # that nobody receives
METHODS = ("to_frame", "to_dict", "to_markdown", "plot", "parts", "content", "_repr_html_", "__str__")


@cache
def classes():
    """Return every class of results in the package."""
    for module in pkgutil.walk_packages(cw.__path__, "curvewise."):
        if not module.name.startswith(("curvewise.cli", "curvewise.__main__")):
            with suppress(ImportError):  # an extra that is not installed
                importlib.import_module(module.name)
    found, todo = [], [cw.results.Result]
    while todo:
        for kind in todo.pop().__subclasses__():
            todo.append(kind)
            hidden = kind.__name__.startswith("_") or kind.__module__.startswith("curvewise.cli")  # not of verbs
            if kind not in found and not hidden and kind.__name__ not in BASES:
                found.append(kind)
    return sorted(found, key=lambda kind: kind.__name__)


every = pytest.mark.parametrize("kind", classes(), ids=lambda kind: kind.__name__)


@every
def test_every_class_has_the_same_methods_and_can_be_imported(kind):
    assert isinstance(kind.table, property)
    assert all(callable(getattr(kind, name)) for name in METHODS)
    assert "to_dict" not in vars(kind), "content() says what is in it; to_dict() adds schema and version"
    assert dataclasses.is_dataclass(kind)
    assert kind.__dataclass_params__.frozen
    of_detection = kind.__module__.startswith(("curvewise.detection", "curvewise.evaluation.detector"))
    homes = [cw.detection] if of_detection else [cw, cw.results]
    assert [getattr(home, kind.__name__) for home in homes if kind.__name__ in home.__all__] == [kind]
    assert kind.__doc__


def test_every_class_states_the_name_of_its_schema():
    stated = {kind: kind.schema for kind in classes() if "schema" in vars(kind)}
    assert {k.__name__ for k in classes()} - {k.__name__ for k in stated} == {
        "ClassRows",
        "Curve",
        "SmoothRoc",
    }  # bases
    assert all(name.startswith("curvewise.") and name.count(".") == 1 for name in stated.values())
    shared = [kind.__name__ for kind, name in stated.items() if list(stated.values()).count(name) > 1]
    assert shared == ["Evaluation", "SavedEvaluation"]  # what is read back is written as it was
    assert type("Renamed", (cw.results.RocCurve,), {}).schema == cw.results.RocCurve.schema == "curvewise.roc_curve"


def detections(quick):
    """Return results about two detectors."""
    box = [[20 * k, 40, 9, 9] for k in range(6)]
    truth = {"image": [1, 1, 2, 2, 3, 4], "class": ["a", "b", "a", "a", "b", "a"], "box": box}
    found = {**truth, "score": [0.9, 0.8, 0.7, 0.6, 0.5, 0.4]}
    worse = {**found, "box": [*box[:4], [0, 0, 9, 9], [150, 40, 9, 9]], "class": ["a", "b", "b", "a", "b", "a"]}
    ev = cw.detection.evaluate(truth, {"one": found, "two": worse}, **quick)
    d = ev.detectors["two"]
    m = d.matched
    parts = [d.summary, d.per_class, d.errors, d.at, d.confusion, d.froc, d.f_curve, d.reliability, d.sizes, d.overlaps]
    best = m.best_threshold()
    return [m, ev, *parts, best, m.class_differences(ev.detectors["one"].matched, **quick), ev.comparison]


@cache
def results():
    """Return results of every verb on small data, and all results that they hold."""
    rng = np.random.default_rng(3)
    n = 120
    y = rng.random(n) < 0.4
    p = np.clip(np.round(1 / (1 + np.exp(-rng.normal(1.5 * y - 1))), 2), 0.01, 0.99)
    other = np.clip(np.round(rng.random(n), 2), 0.01, 0.99)
    group, site, cluster = np.arange(n) % 2, np.arange(n) % 4, np.arange(n) // 2
    quick = {"replicates": 20}
    classes_of = rng.integers(0, 3, n)
    shares = rng.dirichlet([1, 1, 1], n) + np.eye(3)[classes_of]
    shares = shares / shares.sum(axis=1, keepdims=True)
    several = {str(k): shares[:, k] for k in range(3)}
    labels = {name: rng.random(n) < 0.5 for name in "abc"}
    scores = {name: rng.random(n) for name in "abc"}
    s = cw.sweep(y, p)
    evaluated = cw.evaluate({"y": y, "a": p, "b": other}, label="y", scores="a", **quick)
    found = [
        s,
        cw.Evaluation.from_dict(evaluated.to_dict()),
        evaluated.compare(cw.evaluate({"y": ~y, "a": other}, label="y", scores="a", **quick)),
        cw.compare_windows(s, cw.Stream(resolution=0.5).update(y, other)),
        s.at(0.5),
        s.at(0.5).table,
        cw.read_rows(y, {"a": p}, cluster=cluster, group=group),
        cw.interval("ap", s, **quick),
        cw.interval("auc", y, p, cluster=cluster),
        cw.compare(y, {"a": p, "b": other}),
        cw.compare(y, {"a": p, "b": other, "c": p**2 + other}),
        cw.reader_study(y, {"a": {"1": p, "2": other}, "b": {"1": other, "2": p**2 + other}}),
        cw.metrics(),
        cw.metric_table(y, {"a": p}, thresholds=[0.5], **quick),
        cw.score_histogram(s),
        cw.threshold_rates(s),
        *(verb(s) for verb in (cw.roc_curve, cw.pr_curve, cw.pr_gain_curve, cw.det_curve, cw.lift_curve)),
        *(verb(s) for verb in (cw.roc_hull, cw.cost_curve, cw.brier_curve, cw.decision_curve)),
        cw.joint_hull(y, {"a": p, "b": other}),
        cw.joint_hull(y, {"a": p, "b": other}).mixture(0.3),
        cw.joint_hull(y, {"a": p, "b": other}).best(fp=1, fn=3),
        cw.roc_band(s, **quick),
        cw.pr_auc_levels(0.1),
        cw.operating_point(y, p, cw.rules.youden(), **quick),
        cw.operating_point(y, p, cw.rules.min_cost(fp=1, fn=5), **quick),
        cw.operating_point(y, p, cw.rules.max_fpr(0.3, confidence=0.9), **quick),
        cw.referral(s, fp=1, fn=3, refer=0.2, **quick),
        cw.risk_coverage(s),
        cw.partial_view(y, {"a": p, "b": other}, fp=1, fn=(1, 5), prevalence=0.3, **quick),
        cw.ppv_npv(s, threshold=0.5, prevalence=[0.01, 0.1]),
        cw.verification_corrected(np.where(np.arange(n) % 3 > 0, y, np.nan), p, 0.4),
        cw.calibration(y, p, **quick),
        cw.calibration_belt(y, p),
        cw.reliability(y, p, **quick),
        cw.reclassification(y, {"a": p, "b": other}, thresholds=[0.3, 0.6]),
        cw.decompose(y, p),
        cw.isotonic(y, p),
        cw.recalibrate(y, p, method="platt"),
        cw.by_group(y, p, group, threshold=0.4, **quick),
        cw.by_group(y, p, group, threshold=0.4, **quick).gap("recall"),
        cw.fairness(y, p, group, threshold=0.4),
        cw.fairness(y, p, group, threshold=0.4).thresholds(cw.rules.youden()),
        cw.fairness(y, p, group, threshold=0.4).policies(),
        cw.by_site(y, p, site, threshold=0.4, **quick),
        cw.scan(pl.LazyFrame({"y": y, "p": p, "g": group}), label="y", score="p", by="g"),
        cw.by_column(y, np.stack([p, other], axis=1)),
        cw.by_fold(y, p, site),
        cw.by_fold(y, {"a": p, "b": other}, site).compare(),
        cw.by_fold(y, p, site).curve("pr"),
        cw.random_effects([0.1, 0.2, 0.4], [0.1, 0.1, 0.2]),
        cw.validation_sample_size(0.018, 0.8, linear_predictor=(-5, 2.5)),
        cw.pool_rates(y, p, site, threshold=0.4),
        cw.multiclass(classes_of.astype(str), several),
        cw.multiclass(classes_of.astype(str), several).roc_curve(),
        cw.multiclass(classes_of.astype(str), several).pr_curve(),
        cw.multiclass(classes_of.astype(str), several).matrix,
        cw.multiclass(classes_of.astype(str), several).calibration(),
        cw.multiclass(classes_of.astype(str), several).by_group(group, **quick),
        cw.evaluate({"y": classes_of.astype(str), **several}, label="y", scores=list(several), **quick),
        cw.volume_under_surface(classes_of, {"a": p, "b": other}),
        cw.multilabel(labels, scores),
        cw.multilabel(labels, scores).at(0.5),
        cw.multilabel(labels, scores).summary(**quick),
        cw.d_prime(y, p),
        cw.binormal(y, np.digitize(p, [0.2, 0.4, 0.6, 0.8])),
        cw.BinormalRoc(1.2, 0.8),
        cw.BinormalRoc(1.2, 0.8).cost_optimum(fp=1, fn=2, prevalence=0.2),
        cw.AnalyticRoc(lambda x: x**0.5),
        cw.evaluate(
            {"y": y, "a": p, "b": other, "g": group, "s": site},
            label="y",
            scores=["a", "b"],
            group="g",
            site="s",
            **quick,
        ),
        cw.evaluate(y, p, id=np.arange(n), **quick).mistakes,
        cw.diagnostic_table(y, {"a": p, "b": other}, threshold=0.4, reclassification=True),
        *detections(quick),
        cw.evaluate({"t": 1 + other, "y": y, "a": p}, time="t", event="y", horizons=[1.4], scores=["a"], **quick),
        cw.concordance(1 + other, y, p),
        cw.horizon(1 + other, y, p, at=1.5),
        cw.calibration(cw.horizon(1 + other, y, p, at=1.5)),
        sv := cw.survival(1 + other, y, {"a": p, "b": other}, horizons=[1.3, 1.5], probability={"a": {1.3: p, 1.5: p}}),
        sv.auc_curve("a", points=5),
        sv.brier_curve("a"),
        sv.mean_auc(),
        sv.risk_groups("a"),
        cw.d_calibration(1 + other, y, other),
    ]
    seen, todo = [], list(found)
    while todo:
        value = todo.pop()
        if isinstance(value, cw.results.Result):
            if any(value is other for other in seen):
                continue
            seen.append(value)
            todo += [getattr(value, f.name, None) for f in dataclasses.fields(value)]
            todo += value.parts()
            if isinstance(value, cw.Evaluation):
                todo += [*value.models.values(), value.better, value.verdicts, value.classes]
        elif isinstance(value, dict):
            todo += list(value.values())
        elif isinstance(value, (tuple, list)):
            todo += list(value)[:50]
    by_kind = {}
    for value in seen:
        by_kind.setdefault(type(value), []).append(value)
    return by_kind


@pytest.mark.xdist_group("results")  # of one process, which makes them once
@every
def test_every_result_prints_travels_and_draws(kind):
    found = results().get(kind) or [v for k, many in results().items() if issubclass(k, kind) for v in many]
    assert found, "no verb of this test returned one"
    for value in found[:3]:
        data = value.to_dict()
        assert list(data)[:2] == ["schema", "version"]
        assert data["schema"] == type(value).schema
        json.dumps(data, allow_nan=False)
        assert isinstance(value.table, cw.results.Table)
        assert isinstance(value.to_markdown(), str)
        assert str(value)
        assert repr(value) == str(value)
        assert "<script" not in value._repr_html_()
        assert all(isinstance(note, cw.Note) for note in value.notes)
        assert all(note.text("zh") != note.text("en") or note.code == "undefined" for note in value.notes)
        if len(value.table.columns) and len(value.table):
            assert value.to_frame("polars").height == len(value.table)
        drawn = any(k.__name__ in registered() for k in type(value).__mro__) or "plot" in vars(type(value))
        with nullcontext() if drawn else pytest.raises(cw.CurvewiseError, match="figure"):
            value.plot()
        plt.close("all")


def test_a_result_cannot_be_changed():
    found = cw.interval("auc", [0, 1, 0, 1, 1], [1, 2, 3, 4, 5])
    with pytest.raises(dataclasses.FrozenInstanceError):
        found.value = 1


def test_an_estimate_says_why_it_has_no_value_or_no_interval():
    group = cw.by_group([1, 1, 1, 0, 1], [1, 2, 3, 4, 5], list("aaabb"), metrics="auc").groups()[0]
    estimate = group.estimates["roc_auc"]
    assert not estimate.is_defined
    assert not estimate.has_interval
    assert estimate.reason is not None
    assert "0 of 3 rows are negative" in str(estimate.reason)


def test_a_long_table_shows_its_ends_in_a_notebook():
    html = cw.results.Table("Rows", {"k": list(range(20_000)), "<b>": ["x"] * 20_000})._repr_html_()
    assert len(html) < 3000
    assert html.count("<tr>") == 1 + 21
    assert all(f"<td>{k}</td>" in html for k in (0, 9, 19990, 19999))
    assert all(f"<td>{k}</td>" not in html for k in (10, 19989))
    assert "19,980 more rows" in html
    whole = cw.results.Table("Rows", {"k": list(range(60))})._repr_html_()
    assert whole.count("<tr>") == 61
    assert "more rows" not in whole
