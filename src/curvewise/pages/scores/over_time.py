"""What the scores achieve over time, where outcomes are censored: follow-up, ranking, probabilities, risk groups."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

from curvewise.censored.survival_model import SHOWN
from curvewise.document.blocks import Beside, Block, Cell, Facts, Fold, Grid, Heading, Plate, Section, Text
from curvewise.evaluation.answers.over_time import concordance_of_model
from curvewise.pages.cells import count_cell, estimate_cell, estimate_head, label_of, number_cell
from curvewise.results.numbers import exactly

if TYPE_CHECKING:
    from curvewise.censored.observed import RiskGroups
    from curvewise.censored.survival_result import Survival
    from curvewise.censored.time_curve import TimeCurve
    from curvewise.evaluation.over_time import OverTime
    from curvewise.pages.scores.page import ScorePage
    from curvewise.probabilities.reliability import Reliability

COUNTS = ("cases", "controls", "unknown", "competing")
MOST_TIMES = 20  # of a curve in its table


def over_time(page: ScorePage) -> Section | None:
    """Write the section; nothing where outcomes are labels."""
    w, parts = page.w, page.evaluation.over_time
    if parts is None:
        return None
    found, shown = parts.survival, parts.models
    blocks: list[Block] = [
        *(Text(concordance_of_model(found.models[name]).text(w.lang), "lead") for name in shown),
        Text(w("over_time.lead", at=_main(page)), "note"),
        Heading(w("over_time.follow_up")),
        *_follow_up(page, found),
        Heading(w("over_time.ranking")),
        *_ranking(page, parts),
        _horizons(page, found),
        *_calibration(page, parts),
        Heading(w("over_time.risk_groups")),
        *page.one_by_one(_risk_group_plates(page, parts)),
        Text(w("over_time.pointwise"), "note"),
        Heading(w("over_time.assumption")),
        Text(w("over_time.assumed")),
        *page.remarks(n for m in found.models.values() for n in m.censoring_check.notes),
        Fold(w("over_time.made"), [_made(page, found)]),
    ]
    return Section("over_time", w("section.over_time"), blocks)


def _main(page: ScorePage) -> str:
    asked = page.evaluation.options.outcome
    assert asked is not None  # noqa: S101 - of censored outcomes alone
    return exactly(asked.main_horizon)


def _follow_up(page: ScorePage, found: Survival) -> list[Block]:
    """Write how long rows were followed, and what is known at each horizon, in rows."""
    w, told = page.w, found.follow_up
    median = w("over_time.not_reached") if told.median is None else w.numbers.amount(told.median)
    values = {"rows": told.rows, "events": told.events, "censored": told.censored, "longest": told.longest}
    said = w("over_time.followed", median=median, **values)
    if told.competing:
        said += w("space") + w("over_time.competing", competing=told.competing)
    counts = [k for k in COUNTS if k != "competing" or told.competing]
    head = [Cell(w("column.horizon"), numeric=True)]
    head += [Cell(w(f"column.{k}"), numeric=True) for k in counts]
    head += [estimate_head(w, w("column.observed_by_then"))]
    head += [Cell(w(f"column.{k}"), numeric=True) for k in ("censoring_left", "largest_weight", "effective_rows")]
    rows = []
    for at, row in told.at.items():
        share = _share(page, row["observed"], row["low"], row["high"])
        weights = [number_cell(w, "share", row["censoring_left"]), number_cell(w, "cost", row["largest_weight"])]
        weights.append(number_cell(w, "count", row["effective_rows"]))
        rows.append([_time(page, at), *(count_cell(w, row[k]) for k in counts), share, *weights])
    return [Text(said), Grid(w("over_time.known"), head, rows)]


def _time(page: ScorePage, at: float) -> Cell:
    return number_cell(page.w, "amount", at)


def _share(page: ScorePage, value: float, low: float, high: float) -> Cell:
    """Return a share with its limits, where it has any."""
    sub = "" if math.isnan(low) else page.w.interval(low, high, "share")
    return Cell(page.w.numbers.share(value), sub, (value, low, high), numeric=True)


def _concordance(page: ScorePage, found: Survival) -> Grid:
    """Write concordance with events, and with the times of censoring: the check of the assumption."""
    w = page.w
    head = [Cell(w("column.model")), estimate_head(w, w("column.concordance"))]
    counted = found.outcomes.weight is None  # else pairs are weighted, and no count
    head += [Cell(w("column.comparable"), numeric=True)] if counted else []
    head.append(estimate_head(w, w("column.with_censoring")))
    rows = []
    for name in page.names:
        model = found.models[name]
        pairs = None if model.pairs is None else model.pairs.comparable
        cells = [estimate_cell(w, model.concordance, "area"), *([count_cell(w, pairs)] if counted else [])]
        rows.append([Cell(name), *cells, estimate_cell(w, model.censoring_check, "area")])
    return Grid(w("over_time.concordance", level=page.level), head, rows, list(range(len(rows))))


def _ranking(page: ScorePage, parts: OverTime) -> list[Block]:
    """Write AUC over time, and beside it concordance."""
    concordance = _concordance(page, parts.survival)
    if not parts.auc:
        return [concordance]
    return [Beside(page.plate("auc_over_time", _curve_grid(page, parts.auc)), [concordance])]


def _curve_grid(page: ScorePage, curves: dict[str, TimeCurve]) -> Grid:
    w = page.w
    head = [Cell(w("column.model")), Cell(w("column.time"), numeric=True), estimate_head(w, label_of(w, "roc_auc"))]
    rows, places = [], []
    for name, curve in curves.items():
        table = curve.table.rows()
        step = max(-(-len(table) // MOST_TIMES), 1)
        for row in table[::step]:
            ends = (row["low"], row["high"])
            value = Cell(w.numbers.area(row["value"]), w.interval(*ends), (row["value"], *ends), numeric=True)
            rows.append([Cell(name), _time(page, row["time"]), value])
            places.append(page.names.index(name))
    return Grid(w("figure.auc_over_time"), head, rows, places, points=True)


def _horizons(page: ScorePage, found: Survival) -> Grid:
    """Write what every model achieves at every horizon: AUC, and of probabilities IPA, Brier score and O/E."""
    w = page.w
    names = [k for k in SHOWN if any(k in at for m in found.models.values() for at in m.at.values())]
    head = [Cell(w("column.model")), Cell(w("column.horizon"), numeric=True)]
    head += [estimate_head(w, w(f"over_time.{name}")) for name in names]
    rows, places = [], []
    for place, name in enumerate(page.names):
        for at, estimates in found.models[name].at.items():
            rows.append([Cell(name), _time(page, at), *(estimate_cell(w, estimates.get(k)) for k in names)])
            places.append(place)
    return Grid(w("over_time.horizons", level=page.level), head, rows, places, heads=2)


def _calibration(page: ScorePage, parts: OverTime) -> list[Block]:
    """Write what was observed in bins of the probabilities; nothing where there are none."""
    w = page.w
    if not parts.calibration:
        return [Text(w("over_time.no_probabilities"), "note")]
    plates = []
    for at, curves in parts.calibration.items():
        for name, curve in curves.items():
            plate = page.plate(parts.key(at, page.names.index(name)), _bins(page, curve, at), name)
            plates.append(replace(plate, title=w("over_time.at", title=plate.title, at=exactly(at))))
    return [Heading(w("over_time.calibration")), *page.one_by_one(plates)]


def _bins(page: ScorePage, curve: Reliability, at: float) -> Grid:
    w, columns = page.w, curve.table.columns
    head = [Cell(w("column.mean_probability"), numeric=True), estimate_head(w, w("column.observed_by_then"))]
    head.append(Cell(w("column.n"), numeric=True))
    rows = []
    for k in range(len(curve)):
        share = _share(page, *(columns[name][k] for name in ("observed", "low", "high")))
        rows.append([number_cell(w, "share", columns["p"][k]), share, count_cell(w, columns["n"][k])])
    return Grid(w("over_time.at", title=w("figure.calibration_at"), at=exactly(at)), head, rows)


def _risk_group_plates(page: ScorePage, parts: OverTime) -> list[Plate]:
    return [
        page.plate(f"risk_groups:{page.names.index(name)}", _risk_groups(page, parts.survival, groups), name)
        for name, groups in parts.groups.items()
    ]


def _risk_groups(page: ScorePage, found: Survival, groups: RiskGroups) -> Grid:
    """Write of every group how many rows and events it has, and the share that had the event by each horizon."""
    w = page.w
    head = [Cell(w("column.risk_group")), Cell(w("column.scores")), Cell(w("column.n"), numeric=True)]
    head.append(Cell(w("column.events"), numeric=True))
    head += [estimate_head(w, w("over_time.by", at=exactly(at))) for at in found.horizons]
    rows = []
    for place, group in enumerate(groups.groups):
        cells = [Cell(w.numbers.count(place + 1)), Cell(w.interval(group.lowest, group.highest, "amount"))]
        cells += [count_cell(w, group.rows), count_cell(w, group.events)]
        for at in found.horizons:
            k = int((group.time <= at).sum()) - 1
            known = at <= group.time[-1] or group.observed[-1] == 1
            ends = (group.observed, group.low, group.high)
            cells.append(_share(page, *(float(v[k]) if known else math.nan for v in ends)))
        rows.append(cells)
    return Grid(w("figure.risk_groups"), head, rows)


def _made(page: ScorePage, found: Survival) -> Facts:
    """Write the columns, horizons, rule of ties, estimate of censoring and controls."""
    w, asked = page.w, page.evaluation.options.outcome
    assert asked is not None  # noqa: S101 - of censored outcomes alone
    kinds = sorted({g.kind for g in found.censorings.values()})
    competing = bool(found.follow_up.competing)
    rows = [
        ("time", asked.time),
        ("event", asked.event),
        *([] if asked.cause is None else [("cause", str(asked.cause))]),
        ("horizons", w.listed([exactly(t) for t in found.horizons])),
        ("main_horizon", exactly(asked.main_horizon)),
        ("ties", w("over_time.ties")),
        ("censoring", w(f"over_time.censoring.{kinds[0]}")),
        *([("controls", w(f"over_time.controls.{found.controls}"))] if competing else []),
    ]
    return Facts([(w(f"over_time.made.{name}"), value, False) for name, value in rows])
