"""The rule's choice of a threshold: what is flagged, and what follows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from curvewise.document.blocks import Block, Cell, Fold, Grid, Heading, Plates, Text
from curvewise.report import behind
from curvewise.report.cuts import reading
from curvewise.report.measures import estimate, estimate_head, written
from curvewise.report.tables import table_grid

if TYPE_CHECKING:
    from curvewise.report.paper import Paper

SHOWN = ("recall", "fpr", "precision")


def points(paper: Paper) -> list[Block]:
    """Write what the rule chose for every model."""
    w = paper.w
    chosen = [k for k, m in enumerate(paper.models) if m.get("point")]
    if not chosen:
        return paper.left_out("point")
    blocks: list[Block] = [Heading(w("point.title")), _overview(paper, chosen)]
    if any(paper.models[k]["point"].get("optimism") for k in chosen):
        blocks.append(Text(w("point.same_rows"), "note"))
    for k in chosen:
        title = w("point.of", model=paper.names[k])
        blocks.append(Fold(title, _one(paper, k)))
    return [*blocks, *paper.left_out("point")]


def _overview(paper: Paper, chosen: list[int]) -> Grid:
    w = paper.w
    head = [Cell(w("column.model")), Cell(w("column.threshold"), numeric=True)]
    head += [estimate_head(w, w.known("metric", name)) for name in SHOWN]
    head.append(Cell(w("column.alarms_1000"), numeric=True))
    rows = []
    for k in chosen:
        model, point = paper.models[k], paper.models[k]["point"]
        flagged = rate_row(model, "predicted_rate")
        alarms = None if flagged is None else flagged["value"]
        rows.append(
            [
                Cell(model["name"]),
                _threshold(paper, point),
                *(estimate(w, name, rate_row(model, name)) for name in SHOWN),
                Cell(w.numbers.per_1000(alarms), raw=(alarms,), numeric=True),
            ]
        )
    caption = w("point.table", prevalence=paper.prevalence, level=paper.level)
    return Grid(caption, head, rows, chosen)


def _threshold(paper: Paper, point: dict[str, Any]) -> Cell:
    w = paper.w
    if point["threshold"] is None:
        return Cell(w("cut.nobody"), raw=("",), numeric=True)
    low, high = point.get("threshold_interval") or (None, None)
    sub = w.interval(low, high, "cost")
    return Cell(w.numbers.amount(point["threshold"]), sub, (point["threshold"],), numeric=True)


def _one(paper: Paper, place: int) -> list[Block]:
    w, model = paper.w, paper.models[place]
    point = model["point"]
    blocks: list[Block] = [Text(point_sentence(paper, place))]
    blocks.append(Text(w("point.by", rule=_rule(point)), "note"))
    if point["threshold"] is not None and point.get("midpoint") is not None:
        exact = {"exact": repr(point["threshold"]), "midpoint": repr(point["midpoint"])}
        blocks.append(Text(w("point.exact", **exact), "note"))
    found = point.get("optimism")
    if found is not None:
        name = found["quantity"]
        values = {k: written(w, name, found[k]) for k in ("apparent", "expected")}
        blocks.append(Text(w("point.optimism", quantity=w.known("metric", name), **values)))
    slopes = _slopes(paper, point.get("slopes"))
    blocks += [Text(slopes)] if slopes else []
    if paper.cuts[place].positives and paper.cuts[place].negatives:
        blocks.append(
            Plates(
                [
                    paper.plate(f"confusion:{place}", behind.confusion_grid(paper, place), model["name"]),
                    paper.plate(f"thresholds:{place}", behind.thresholds_grid(paper, place), model["name"]),
                ]
            )
        )
    caption = w("point.rates", prevalence=paper.prevalence, level=paper.level)
    return [*blocks, table_grid(w, point["rates"], caption)]


def _rule(point: dict[str, Any]) -> str:
    """Write the rule as one would call it."""
    given = ", ".join(f"{k}={v}" for k, v in (point.get("options") or {}).items())
    return f"{point['rule']}({given})" if given else str(point["rule"])


def _slopes(paper: Paper, found: dict[str, Any] | None) -> str:
    """Say for which costs the cut is the cheapest of all."""
    ratio = (found or {}).get("cost_ratio")
    if not found or not ratio:
        return ""
    low, high = ratio
    kind = "from" if high == "inf" else "to" if low == 0 else "between"
    return paper.w(f"slopes.{kind}", low=low, high=high, prevalence=found.get("prevalence"))


def rate_row(model: dict[str, Any], name: str) -> dict[str, Any] | None:
    """Return one rate at the chosen threshold, with its interval."""
    rows = model["point"]["rates"]["rows"]
    return next((row for row in rows if row["metric"] == name), None)


def point_sentence(paper: Paper, place: int) -> str:
    """Say what the rule's choice does to 1 000 people, in plain words."""
    w, found = paper.w, paper.cuts[place]
    name = paper.names[place]
    share = paper.prevalence
    seen = None if found.rule is None or share is None else reading(found, found.rule, share, paper.costs)
    if seen is None:
        return w("then.undefined", model=name)
    values = {"model": name, "prevalence": share, "recall": seen.tpr, "fpr": seen.fpr}
    if seen.ppv is None:
        return w("then.nobody", **values)
    values |= {"alarms": seen.alarms, "right": seen.hits, "missed": seen.missed}
    return w("then.alarms", precision=seen.ppv, **values)
