"""What is drawn is what the result says."""

import math
from contextlib import nullcontext
from functools import cache

import matplotlib as mpl
import numpy as np
import pytest
from hypothesis import given
from matplotlib import pyplot
from scipy.special import ndtr, ndtri

import curvewise as cw
from curvewise import figures
from curvewise.curves.histogram import score_histogram
from curvewise.figures.pr import bent
from curvewise.figures.registry import registered
from figures.cases import (
    FIGURES,
    RATINGS,
    each,
    estimate,
    key,
    line,
    made,
    point,
    rates,
    sites,
    sweeps,
    texts,
)
from strategies import labelled


@pytest.mark.parametrize("name", FIGURES)
def test_every_figure_is_drawn_by_itself_on_given_axes_and_in_other_words(name):
    alone = FIGURES[name]()
    assert alone.figure.get_figwidth() == 3.5
    _, given_axes = pyplot.subplots(figsize=(5, 4))
    with mpl.rc_context({"font.size": 13}):
        assert FIGURES[name](ax=given_axes) is given_axes
    assert tuple(given_axes.figure.get_size_inches()) == (5, 4)
    other = made(name, labels={k: f"<{k}>" for k in figures.figure_words()}).axes[0]
    assert other.get_xlabel().startswith("<") or "<difference>" in other.get_xlabel()


@pytest.mark.parametrize("name", ["roc", "reliability"])
def test_the_users_settings_stay_and_do_not_matter(name):
    before = figures.to_svg(made(name)).svg
    with mpl.rc_context({"axes.facecolor": "black", "lines.linewidth": 9, "font.size": 30}):
        mine = mpl.rcParams.copy()
        figure = made(name)
        assert figures.to_svg(figure).svg == before
        assert mpl.rcParams == mine


def test_words_in_both_languages():
    english, chinese = figures.figure_words("en"), figures.figure_words("zh")
    assert set(chinese) == set(english)
    for key_, text in english.items():
        assert set("{}") & set(text) == set("{}") & set(chinese[key_])
    assert made("roc", lang="zh").axes[0].get_xlabel() == "假阳性率"
    mixed = made("roc", lang="zh", labels={"fpr": "FPR"}).axes[0]
    assert (mixed.get_xlabel(), mixed.get_ylabel()) == ("FPR", "真阳性率")
    with pytest.raises(cw.CurvewiseError, match="lang: expected one of 'en', 'zh'"):
        made("roc", lang="fr")


def test_roc():
    ax = made("roc").axes[0]
    curves, hulls = each(cw.roc_curve), each(cw.roc_hull)
    for k, name in enumerate(curves):
        x, y = line(ax, f"model-{k}-line")
        thin = curves[name].thin(1000)
        assert np.array_equal(x, thin.fpr)
        assert np.array_equal(y, thin.tpr)
        assert np.array_equal(line(ax, f"model-{k}-hull")[1], hulls[name].tpr)
    counts = point().confusion
    assert line(ax, "model-0-point") == (counts.fpr, counts.recall)
    cost = next(a for a in ax.get_lines() if a.get_gid() == "model-0-cost")
    assert cost.get_slope() == 0.58
    assert cost.get_xy1() == (counts.fpr, counts.recall)
    e = estimate()
    assert key(ax)[0] == f"first: AUC {e.value:.3f} [{e.low:.3f}, {e.high:.3f}]"
    assert key(ax)[1] == f"second: AUC {curves['second'].auc:.3f}"
    assert key(ax)[2] == "equal cost"
    assert ax.get_box_aspect() == 1


def test_a_tie_is_one_sloped_segment():
    ax = figures.draw_roc(cw.roc_curve(RATINGS))
    x, y = line(ax)
    # ratings 2 and 3 lie on one line
    assert x == pytest.approx(np.array([0, 2, 13, 25, 58]) / 58)
    assert y == pytest.approx(np.array([0, 33, 44, 48, 51]) / 51)
    assert key(ax) == ["AUC 0.893"]


def test_an_iso_cost_line_may_be_vertical():
    ax = figures.draw_roc(cw.roc_curve(RATINGS), point=RATINGS.at(4), iso_cost=math.inf)
    cost = next(a for a in ax.get_lines() if a.get_gid() == "model-0-cost")
    assert cost.get_xy1()[0] == cost.get_xy2()[0] == RATINGS.at(4).fpr


def test_bands_of_either_rate_lie_on_the_same_axes():
    across = cw.roc_band(RATINGS, rng=0, replicates=50)
    up = cw.roc_band(RATINGS, at="tpr", rng=0, replicates=50)
    ax = figures.draw_band({"across": across, "up": up})
    assert np.array_equal(line(ax)[1], across.value)
    assert np.array_equal(line(ax, "model-1-line")[0], up.value)
    assert np.array_equal(line(ax, "model-1-line")[1], up.x)
    corners = ax.collections[1].get_paths()[0].vertices
    assert corners[:, 0].max() == pytest.approx(up.high.max())
    assert figures.draw(cw.pr_band(RATINGS, rng=0, replicates=50)).get_ylabel() == "Precision"


def test_a_band_of_a_rate_at_thresholds():
    band = cw.threshold_band(RATINGS, rate="predicted_rate", grid=[1, 2, 3, 4, 5])
    ax = figures.draw_band(band)
    assert np.array_equal(line(ax)[0], band.x)
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("Threshold", "Share of rows flagged")
    assert ax.get_xlim()[1] > 5


@given(labelled())
def test_pr_points_are_joined_by_counts(data):
    curve = cw.pr_curve(*data)
    recall, precision = bent(curve)
    assert recall[0] == 0
    assert precision[0] == curve.precision[0]
    assert (np.diff(recall) >= 0).all()
    # every point drawn lies where counts grow in proportion within a block
    tp, fp = (np.append(0, c) for c in (curve.tp, curve.fp))
    for r, p in zip(recall, precision, strict=True):
        reached = r * curve.positives
        if p == 0 or reached == 0:
            continue
        false = reached / p - reached
        k = [
            i
            for i in range(len(tp) - 1)
            if tp[i] - 1e-9 <= reached <= tp[i + 1] + 1e-9 and fp[i] - 1e-6 <= false <= fp[i + 1] + 1e-6
        ]
        crossing = [(reached - tp[i]) * (fp[i + 1] - fp[i]) - (false - fp[i]) * (tp[i + 1] - tp[i]) for i in k]
        assert min(map(abs, crossing)) < 1e-6 * (1 + tp[-1] * (1 + fp[-1]))


def test_a_bent_line_is_below_the_straight_one():
    curve = cw.pr_curve([1, 1, 0, 0, 0, 1], [3, 3, 2, 2, 2, 2])
    recall, precision = bent(curve)
    middle = np.interp(5 / 6, recall, precision)
    assert middle == pytest.approx(curve.precision_at(5 / 6), abs=1e-3)
    assert middle < (1 + 0.5) / 2 - 0.05
    assert precision[recall <= 2 / 3] == pytest.approx(1)


def test_pr():
    ax = made("pr").axes[0]
    level = next(a for a in ax.get_lines() if a.get_gid() == "chance-0")
    assert level.get_ydata()[0] == pytest.approx(sweeps()["first"].prevalence)
    assert texts(ax) == ["F1", "0.2", "0.4", "0.6", "0.8"]
    equal_f = [a for a in ax.get_lines() if a.get_gid() is None]
    for artist, f in zip(equal_f, (0.2, 0.4, 0.6, 0.8), strict=True):
        r, p = artist.get_data()
        assert 2 * r * p / (r + p) == pytest.approx(f)
        assert p.max() == pytest.approx(1)
    ap = each(cw.pr_curve)["first"].average_precision
    assert key(ax)[0] == f"first: AP {ap:.3f}"
    counts = point().confusion
    assert line(ax, "model-0-point") == (counts.recall, counts.precision)


def test_pr_curves_at_two_prevalences_have_two_levels_of_chance():
    s = sweeps()["first"]
    ax = figures.draw_pr({"here": cw.pr_curve(s), "there": cw.pr_curve(s.at_prevalence(0.05))})
    levels = [a.get_ydata()[0] for a in ax.get_lines() if str(a.get_gid()).startswith("chance")]
    assert levels == pytest.approx([0.05, s.prevalence])


def test_pr_gain():
    ax = made("pr_gain").axes[0]
    curve = each(cw.pr_gain_curve)["second"].thin(1000)
    assert np.array_equal(line(ax, "model-1-line")[1], curve.precision_gain)
    assert ax.get_ylim()[0] <= 0
    worst = figures.draw_pr_gain(cw.pr_gain_curve([1, 1, 0, 0], [1, 2, 3, 4]))
    assert worst.get_ylim()[0] == pytest.approx(-0.515)


def test_det():
    ax = made("det").axes[0]
    curve = each(cw.det_curve)["first"].thin(1000)
    x, y = line(ax)
    inside = (curve.fpr > 0) & (curve.fnr > 0)
    assert np.array_equal(x[inside], curve.fpr[inside])
    assert np.array_equal(y[inside], curve.fnr[inside])
    assert line(ax, "model-0-point")[0] == curve.eer
    low, high = ax.get_xlim()
    assert 0 < low < curve.eer < 0.5 < high
    # a rate is where its normal deviate says
    at = ax.transData.transform([(low, low), (0.1, low), (high, low)])[:, 0]
    share = (ndtri(0.1) - ndtri(low)) / (ndtri(high) - ndtri(low))
    assert (at[1] - at[0]) / (at[2] - at[0]) == pytest.approx(share)
    assert ndtr(ndtri(0.1)) == pytest.approx(0.1)
    assert "50%" in [t.get_text() for t in ax.get_xticklabels()]
    assert key(ax)[0] == f"first: EER {100 * curve.eer:.3g}%"


def test_det_of_a_perfect_and_of_a_reversed_model():
    perfect = figures.draw_det(cw.det_curve([0, 0, 1, 1], [1, 2, 3, 4]))
    assert 0 < perfect.get_xlim()[0] < 0.05
    worse = figures.draw_det(cw.det_curve([1, 1, 0, 0, 1, 0], [1, 2, 3, 4, 5, 6]))
    assert worse.get_xlim()[1] == 0.99


def test_gain_and_lift():
    gain, lift = made("gain").axes[0], made("lift").axes[0]
    curve = each(cw.lift_curve)["second"]
    assert np.array_equal(line(gain, "model-1-line")[1], curve.thin(1000).gain)
    share, drawn = line(lift, "model-1-line")
    assert np.isin(drawn, curve.lift[1:]).all()
    assert share[-1] == 1
    assert drawn[-1] == 1
    perfect = line(gain, "perfect")
    assert perfect[0][1] == pytest.approx(sweeps()["first"].prevalence)
    assert key(gain) == ["first", "second", "perfect", "chance"]


def test_cost_and_brier():
    cost, brier = made("cost").axes[0], made("brier").axes[0]
    assert np.array_equal(line(cost)[1], each(cw.cost_curve)["first"].thin(1000).cost)
    assert key(cost) == ["first", "second", "never positive", "always positive"]
    curve = each(cw.brier_curve)["first"]
    assert np.array_equal(line(brier)[1], curve.thin(1000).loss)
    assert key(brier)[0] == f"first: Brier {curve.area:.3f}"
    share = sweeps()["first"].prevalence
    assert line(brier, "trivial")[1].max() == pytest.approx(2 * share * (1 - share))


def test_decision():
    ax = made("decision").axes[0]
    curve = each(cw.decision_curve)["first"]
    assert np.array_equal(line(ax)[1], curve.net_benefit)
    corners = ax.collections[0].get_paths()[0].vertices[:, 1]
    assert corners.min() == pytest.approx(curve.low.min())
    assert corners.max() == pytest.approx(curve.high.max())
    assert key(ax) == ["first", "second", "treat all", "treat none"]
    low, high = ax.get_ylim()
    assert low < 0 < curve.prevalence < high


def test_distribution_of_a_sweep_and_of_bars():
    sweep = sweeps()["first"]
    ax = made("distribution").axes[0]
    up, down = (p.get_data() for p in ax.patches)
    assert [p.get_fill() for p in ax.patches] == [True, False]  # they differ without colour too
    assert up.values.sum() == pytest.approx(1)
    assert down.values.sum() == pytest.approx(-1)
    assert texts(ax)[0] == f"positives (n = {sweep.positives})"
    bars = score_histogram([1] * 4 + [0] * 8, [0.5, 2, 2, 2, *[0.5] * 6, 1.9, 1.9], bins=2, limits=(0, 3))
    ax = figures.draw_distribution(bars)
    up, down = (p.get_data() for p in ax.patches)
    assert up.values == pytest.approx([0.25, 0.75])
    assert down.values == pytest.approx([-0.75, -0.25])
    assert ax.get_xlim() == (0, 3)


@pytest.mark.parametrize(
    ("y", "score"), [([0, 1], [2.0, 2.0]), ([0, 1, 1], [-np.inf, 3.0, np.inf]), ([0, 1], [np.inf, np.inf])]
)
def test_odd_scores_are_drawn(y, score):
    sweep = cw.sweep(y, score)
    for draw in (figures.draw_distribution, figures.draw_thresholds):
        assert draw(sweep, threshold=math.inf).get_xlabel()


def test_a_class_that_is_absent_has_no_bars_and_no_rate():
    sweep = cw.sweep([1, 1], [1.0, 2.0], positive=1)
    ax = figures.draw_distribution(sweep)
    assert not np.any(ax.patches[1].get_data().values)
    ax = figures.draw_thresholds(sweep)
    assert key(ax) == ["Recall", "Precision", "F1"]


def test_reliability():
    first = sweeps()["first"]
    found = cw.reliability(first, rng=0, replicates=50)
    figure = made("reliability")
    ax, below = figure.axes[0], figure.axes[0].child_axes[0]
    assert np.array_equal(line(ax)[1], found.observed)
    assert ax.collections[0].get_paths()[0].vertices[:, 1].max() == pytest.approx(found.high.max())
    assert below.patches[0].get_data().values.sum() == first.n
    bins = cw.reliability(first, bins=5)
    ax = figures.draw_reliability(bins)
    assert [bar.get_height() for bar in ax.child_axes[0].patches] == bins.n.tolist()
    ends = np.array([s[:, 1] for s in ax.collections[0].get_segments()])
    assert ends == pytest.approx(np.stack([bins.low, bins.high], axis=1))
    assert not figures.draw_reliability(cw.reliability(first, bands="none")).child_axes


def test_thresholds_are_steps():
    ax = figures.draw_thresholds(RATINGS, threshold=3)
    for name in ("recall", "specificity", "precision", "f1"):
        x, y = line(ax, name)
        for cut in (4.5, 4, 3.5, 2, 1.5):
            # the rate at a cut is that of the first score at or above it
            k = np.flatnonzero(x >= cut).max()
            assert y[k] == pytest.approx(getattr(RATINGS.at(cut), name)), (name, cut)


def test_thresholds_where_low_means_positive():
    sweep = cw.sweep([1, 0, 1, 0], [1, 2, 3, 4], higher_is="negative")
    x, y = line(figures.draw_thresholds(sweep), "recall")
    for cut in (1, 1.5, 3, 3.5):
        assert y[np.flatnonzero(x <= cut).max()] == pytest.approx(sweep.at(cut).recall)


def test_confusion():
    ax = figures.draw_confusion(cw.Confusion(tp=30, fp=20, fn=20, tn=430))
    shown = texts(ax)
    assert {"30", "20", "430", "60.0% of row", "40.0% of row", "95.6% of row", "TP", "FN"} <= set(shown)
    shade = {p.get_gid(): p.get_alpha() for p in ax.patches}
    assert shade["tn-cell"] > shade["tp-cell"] > shade["fn-cell"] > shade["fp-cell"]
    assert shade["tn-cell"] <= 0.5
    place = {p.get_gid(): p.get_xy() for p in ax.patches}
    assert place == {"tp-cell": (0, 0), "fn-cell": (1, 0), "fp-cell": (0, 1), "tn-cell": (1, 1)}
    assert "undefined" in texts(figures.draw_confusion(cw.Confusion(tp=0, fp=2, fn=0, tn=3)))


def test_style_goes_to_the_line():
    ax = figures.draw_roc(cw.roc_curve(RATINGS), linewidth=3, color="black")
    found = next(a for a in ax.get_lines() if a.get_gid() == "model-0-line")
    assert (found.get_linewidth(), found.get_color()) == (3, "black")


def test_what_belongs_to_one_model_is_not_drawn_for_all():
    with pytest.raises(cw.CurvewiseError, match="band: there are 2 models; pass a dict"):
        figures.draw_roc(each(cw.roc_curve), band=cw.roc_band(RATINGS, rng=0, replicates=10))
    with pytest.raises(cw.CurvewiseError, match="nothing to draw"):
        figures.draw_roc({})


def test_large_curves_are_thinned():
    rng = np.random.default_rng(0)
    y = rng.random(20_000) < 0.3
    s = cw.sweep(y, rng.normal(size=20_000) + y)
    verbs = {"roc": cw.roc_curve, "pr": cw.pr_curve, "det": cw.det_curve, "lift": cw.lift_curve}
    for name, verb in verbs.items():
        x, _ = line(getattr(figures, f"draw_{name}")(verb(s)))
        assert len(x) <= 1000


def test_an_operating_point_is_drawn_as_its_counts():
    counts = point().confusion
    assert {str(counts.tp), str(counts.fp), str(counts.fn), str(counts.tn)} <= set(texts(figures.draw(point())))


def test_smooth_curves_are_drawn_from_their_formula():
    smooth = cw.BinormalRoc(a=1.5, b=0.8)
    x, y = line(figures.draw(smooth))
    assert (x[0], x[-1]) == (0, 1)
    assert y == pytest.approx(smooth.tpr(x))


@cache
def classes():
    rng = np.random.default_rng(0)
    y = rng.integers(0, 3, 90)
    scores = rng.random((90, 3)) + np.eye(3)[y]
    return cw.multiclass(y, scores / scores.sum(axis=1, keepdims=True))


def test_mean_curves_of_many_classes():
    roc, pr = classes().roc_curve(), classes().pr_curve()
    assert key(figures.draw(roc)) == [f"AUC {roc.auc:.3f}"]
    ax = figures.draw(pr)
    assert key(ax) == [f"AP {pr.average_precision:.3f}"]
    assert ax.get_lines()[0].get_drawstyle() == "steps-pre"


def test_the_confusion_matrix_of_many_classes():
    found = classes().matrix
    ax = figures.draw(found)
    written = [t.get_text() for t in ax.texts if t.get_gid().startswith("count")]
    assert written == [str(int(c)) for c in found.counts.ravel()]
    depth = {p.get_gid(): p.get_alpha() for p in ax.patches}
    assert depth["cell-0-0"] > depth["cell-0-1"]
    assert [t.get_text() for t in ax.get_xticklabels()] == ["0", "1", "2"]


def test_a_summary_and_a_site_are_forests_of_their_metrics():
    summary = classes().summary()
    assert len(texts(figures.draw(summary))) >= 2 * len(summary.estimates)
    site = sites().sites[0]
    assert figures.draw(site).get_xlabel() == site.name


def test_a_belt_has_an_area_per_level_and_the_diagonal():
    belt = cw.calibration_belt(sweeps()["first"])
    ax = figures.draw_belt({"first": belt, "again": belt})
    assert ax.get_lines()[0].get_gid() == "ideal"
    areas = [c.get_gid() for c in ax.collections]
    assert areas == ["model-0-band-1", "model-0-band-0", "model-1-band-1", "model-1-band-0"]
    assert belt.plot().get_ylabel() == "Observed share"


def test_isotonic_fits_are_blocks():
    found = cw.isotonic(sweeps()["first"])
    x, y = line(found.plot())
    assert x.tolist() == np.column_stack([found.low, found.high]).ravel().tolist()
    assert y.tolist() == np.repeat(found.value, 2).tolist()


def test_unknown_true_negatives_are_said():
    sweep = cw.Sweep.from_counts([2, 1], [3, 1], [1, 4], total_positives=6, negatives_known=False)
    assert "unknown" in texts(figures.draw_confusion(sweep.at(1.5)))


def test_a_result_without_a_figure_says_what_can_be_drawn():
    with pytest.raises(cw.CurvewiseError, match=r"There is no figure of Table; .* Estimate, .* RocCurve"):
        cw.roc_curve(RATINGS).table.plot()
    y, score = [0, 1], [1, 2]
    with pytest.raises(cw.CurvewiseError, match="There is no figure of Rows"):
        cw.read_rows(y, score).plot()


def test_figures_are_named_by_classes_that_exist():
    """Every class that has a figure can be received from a verb, under that name."""
    names = {kind.__name__ for kind in _classes()}
    assert set(registered()) <= names


def _classes():
    import importlib
    import pkgutil

    import curvewise

    for package in (
        *("core", "curves", "inference", "results", "probabilities", "decisions"),
        *("breakdown", "signal_detection", "many_classes", "detection", "evaluation", "censored"),
    ):
        for found in pkgutil.walk_packages([f"{curvewise.__path__[0]}/{package}"], f"curvewise.{package}."):
            module = importlib.import_module(found.name)
            yield from (v for v in vars(module).values() if isinstance(v, type))


def test_pooled_rates():
    ax, found = made("pooled_rates").axes[0], rates()
    assert line(ax, "model-0-point") == (1 - found.specificity.value, found.sensitivity.value)
    for gid, table in (("prediction", found.region("prediction")), ("curve", found.curve())):
        x, y = line(ax, f"model-0-{gid}")
        assert (x.tolist(), y.tolist()) == (table.columns["fpr"], table.columns["tpr"])
    first = found.sites[0]
    assert line(ax, "model-0-site-0") == (first.fp / first.negatives, first.tp / first.positives)
    assert key(ax) == ["new site", "pooled"]
    lone = cw.pool_rates(counts={"tp": [5, 6, 7, 3], "fn": [2, 2, 3, 1], "fp": [1, 2, 1, 0], "tn": [9, 8, 7, 0]}).plot()
    assert not [a for a in lone.get_lines() if a.get_gid() == "model-0-site-3"]


def test_an_evaluation_is_both_curves_side_by_side():
    roc, pr = each(cw.roc_curve), each(cw.pr_curve)
    e = estimate()
    left, right = figures.draw_evaluation(roc, pr, auc={"first": e}, points={"first": point()})
    assert left.figure is right.figure
    assert left.get_position().x1 <= right.get_position().x0
    assert key(left)[0] == f"first: AUC {e.value:.3f} [{e.low:.3f}, {e.high:.3f}]"
    assert key(right)[0].startswith("first: AP")
    counts = point().confusion
    assert line(left, "model-0-point") == (counts.fpr, counts.recall)
    assert line(right, "model-0-point") == (counts.recall, counts.precision)
    _, pair = pyplot.subplots(1, 2)
    assert figures.draw_evaluation(roc, pr, ax=pair, lang="zh") == tuple(pair)
    assert pair[0].get_xlabel() == "假阳性率"
    for wrong in (pair[0], [*pair, pair[0]]):
        with pytest.raises(cw.CurvewiseError, match="ax: expected a pair of axes"):
            figures.draw_evaluation(roc, pr, ax=wrong)


def two_curves():
    y = np.arange(40) % 2
    return cw.roc_curve(y, np.arange(40) * 7 % 17), cw.roc_curve(y, np.arange(40) * 3 % 11)


def test_a_line_takes_the_names_that_matplotlib_gives_its_options():
    curve, _ = two_curves()
    line = next(k for k in curve.plot(c="red", ls="--", lw=3, label="mine").get_lines() if k.get_label() == "mine")
    assert (line.get_color(), line.get_linestyle(), line.get_linewidth()) == ("red", "--", 3)
    for options, said in (
        ({"nonsense": 1}, "nonsense: unknown option of this figure"),
        ({"colour": "red"}, "did you mean 'color'"),
        ({"c": "red", "color": "blue"}, "aliases of one another"),
    ):
        with pytest.raises(cw.OptionError, match=said):
            curve.plot(**options)


def test_two_curves_on_one_axes_look_different():
    one, two = two_curves()
    axes = one.plot(label="first")
    two.plot(ax=axes, label="second")
    lines = [k for k in axes.get_lines() if k.get_label() in ("first", "second")]
    assert len({k.get_color() for k in lines}) == len({k.get_gid() for k in lines}) == 2
    assert [t.get_text() for t in axes.get_legend().get_texts()] == ["first", "second"]


def test_counts_take_a_colour():
    axes = cw.Confusion(tp=3, fp=1, fn=2, tn=4).plot(color="red")
    assert [t.get_color() for t in axes.texts if t.get_gid() == "tp"] == ["red"]
    with pytest.raises(cw.OptionError, match="cmap: unknown option of this figure"):
        cw.Confusion(tp=3, fp=1, fn=2, tn=4).plot(cmap="Reds")


@pytest.mark.parametrize("fails", [False, True])
def test_a_backend_that_is_loaded_for_the_first_figure_shows_the_others_too(monkeypatch, fails):
    """IPython's says once, while pyplot makes its first figure, that figures are shown."""
    monkeypatch.setitem(mpl.rcParams, "interactive", False)
    subplots = pyplot.figure

    def first(*arguments, **options):
        mpl.interactive(True)
        if fails:
            raise RuntimeError("no display")
        return subplots(*arguments, **options)

    monkeypatch.setattr(pyplot, "figure", first)
    size = mpl.rcParams["font.size"]
    with pytest.raises(RuntimeError) if fails else nullcontext():
        cw.roc_curve([0, 1, 1], [0.1, 0.2, 0.3]).plot()
    assert mpl.is_interactive()
    assert mpl.rcParams["font.size"] == size
