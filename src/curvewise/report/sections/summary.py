"""The summary: three numbers a model, and every question answered in a sentence."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from curvewise.document.blocks import Answers, Block, Card, Cards, Section
from curvewise.report.measures import written
from curvewise.report.sections.point import point_sentence, rate_row
from curvewise.words.numbers import read

if TYPE_CHECKING:
    from curvewise.report.paper import Paper

MOST_PAIRS = 3  # beyond them the table of the section says more
MOST_GAPS = 4


def summary(paper: Paper) -> Section:
    """Write the summary."""
    w = paper.w
    cards: list[Block] = [_cards(paper, k) for k in range(len(paper.models))]
    asked = [
        ("good", _good(paper), "ranking"),
        ("better", _better(paper), "comparison"),
        ("threshold", _threshold(paper), "explorer"),
        ("then", _then(paper), "explorer"),
        ("probabilities", _probabilities(paper), "probabilities"),
        ("fair", _fair(paper), "groups"),
        ("caveats", _caveats(paper), "caveats"),
    ]
    answers = Answers([(w(f"ask.{name}"), said, place) for name, said, place in asked if said])
    return Section("summary", w("section.summary"), [*cards, answers])


def _cards(paper: Paper, place: int) -> Cards:
    w, model = paper.w, paper.models[place]
    auc = (model.get("estimates") or {}).get("roc_auc")
    cards = [] if auc is None else [_card(paper, "roc_auc", auc, w("card.roc_auc", value=auc["value"]))]
    if model.get("point"):
        for name in ("recall", "precision"):
            row = rate_row(model, name)
            if row is not None:
                words = w(f"card.{name}", prevalence=paper.prevalence)
                cards.append(_card(paper, name, row, words))
    return Cards(model["name"], place, cards)


def _card(paper: Paper, name: str, found: dict[str, Any], words: str) -> Card:
    w = paper.w
    ends = w.interval(found["low"], found["high"], "share" if name != "roc_auc" else "area")
    said = w("interval", level=paper.level, ends=ends) if ends else ""
    return Card(w.known("metric", name), written(w, name, found["value"]), said, words)


def _good(paper: Paper) -> list[str]:
    said = []
    for model in paper.models:
        auc = (model.get("estimates") or {}).get("roc_auc")
        if auc is None or auc["value"] is None:
            said.append(paper.w("good.undefined", model=model["name"]))
            continue
        low, high = read(auc["low"]), read(auc["high"])
        verdict = "better" if low > 0.5 else "worse" if high < 0.5 else "unclear"
        said.append(paper.w(f"good.{verdict}", model=model["name"], value=auc["value"], low=low, high=high))
    return said


def _better(paper: Paper) -> list[str]:
    found = paper.document.get("comparison")
    if found is None:
        return []
    said = [pair_sentence(paper, found["metric"], pair) for pair in found["pairs"][:MOST_PAIRS]]
    more = len(found["pairs"]) - len(said)
    return [*said, paper.w("pair.more", more=more)] if more else said


def pair_sentence(paper: Paper, metric: str, pair: dict[str, Any]) -> str:
    """Say in words whether the first model of a pair is better than the second."""
    w = paper.w
    names, ends = (pair["first"], pair["second"]), (read(pair["low"]), read(pair["high"]))
    difference, p = read(pair["difference"]), read(pair["p_holm"])
    clear = p < 1 - paper.level
    if clear and difference < 0:  # say it of the better one
        names, ends, difference = names[::-1], (-ends[1], -ends[0]), -difference
    values = {"first": names[0], "second": names[1], "difference": difference, "p": p, "level": paper.level}
    return w(
        "pair.better" if clear else "pair.same", metric=w.metric(metric), ends=w.interval(*ends), **values
    )


def _threshold(paper: Paper) -> list[str]:
    said = []
    for model in paper.models:
        point = model.get("point")
        if point is None:
            continue
        rule = paper.w.known("rule", str(point["rule"]))
        nobody = not point["confusion"]["tp"] + point["confusion"]["fp"]
        kind = "nobody" if nobody else model["sweep"].get("higher_is", "positive")
        values = {"model": model["name"], "rule": rule, "threshold": point["threshold"]}
        said.append(paper.w(f"threshold.{kind}", **values))
    return said


def _then(paper: Paper) -> list[str]:
    return [
        point_sentence(paper, k) for k, m in enumerate(paper.models) if m.get("point") and paper.cuts[k].rule
    ]


def _probabilities(paper: Paper) -> list[str]:
    said = []
    for model in paper.models:
        found = model.get("probabilities")
        if found is None:
            said.append(paper.w("trust.none", model=model["name"]))
            continue
        rows = {r["measure"]: r for r in found["calibration"]["rows"]}
        verdicts = [v for v in (_ratio(rows), _slope(rows)) if v]
        values = {"model": model["name"], **{k: r["value"] for k, r in rows.items()}}
        said.append(paper.w("space").join(paper.w(f"trust.{v}", **values) for v in verdicts or ["fine"]))
    return said


def _ratio(rows: dict[str, dict[str, Any]]) -> str | None:
    return _off(rows.get("observed_expected"), "promises_much", "promises_little")


def _slope(rows: dict[str, dict[str, Any]]) -> str | None:
    return _off(rows.get("slope"), "extreme", "timid")


def _off(row: dict[str, Any] | None, below: str, above: str) -> str | None:
    """Say on which side of 1 a measure clearly lies."""
    if row is None or row["low"] is None:
        return None
    return below if read(row["high"]) < 1 else above if read(row["low"]) > 1 else None


def _fair(paper: Paper) -> list[str]:
    """Name the clearest differences in recall and false alarms, allowing for how many were looked at."""
    w = paper.w
    looked = [
        (entry["model"], row)
        for entry in paper.document.get("groups") or []
        for row in entry["gaps"]["rows"]
        if row["metric"] in ("recall", "fpr")
    ]
    if not looked:
        return []
    defined = [(model, row) for model, row in looked if row.get("p_equal") is not None]
    clear = [(m, row) for m, row in defined if row["p_equal"] < (1 - paper.level) / len(defined)]
    clear.sort(key=lambda found: float(found[1]["p_equal"]))
    said = [] if clear else [w("fair.none" if defined else "fair.undefined", looked=len(defined))]
    for model, row in clear[:MOST_GAPS]:
        ends = w.interval(row["low"], row["high"], "points")
        values = {"model": model, "gap": row["gap"], "ends": ends, "level": paper.level}
        column = row.get("column") or w.listed(paper.document["options"]["group"])
        said.append(w("fair.clear", metric=w.metric(row["metric"]), column=column, **values))
    more = len(clear) - MOST_GAPS
    return [*said, w("fair.more", more=more)] if more > 0 else said


def _caveats(paper: Paper) -> list[str]:
    found = paper.document["caveats"]
    warned = sum(c["severity"] == "warn" for c in found)
    key = "warned" if warned else "noted" if found else "none"
    return [paper.w(f"caveats.{key}", warned=warned, noted=len(found) - warned)]
