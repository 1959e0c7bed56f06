"""The summary: three numbers per model, and every question answered in a sentence."""

from __future__ import annotations

from typing import TYPE_CHECKING

from curvewise.document.blocks import Answers, Block, Card, CardColumn, Cards, Section
from curvewise.report.cells import ends_of, label_of, way_of, written
from curvewise.report.ranking_section import MOST_PAIRS, pair_sentence
from curvewise.report.threshold_section import point_sentence, uncorrected

if TYPE_CHECKING:
    from curvewise.report.page import Page
    from curvewise.results.estimate import Estimate

MOST_GAPS = 4


def summary(page: Page) -> Section:
    """Write the summary."""
    w = page.w
    cards: list[Block] = [Cards([_cards(page, k) for k in range(len(page.models))])] if page.models else []
    asked = [
        ("good", _good(page), "ranking"),
        ("better", _better(page), "comparison"),
        ("threshold", _threshold(page), "explorer"),
        ("then", [point_sentence(page, k) for k in page.chosen], "explorer"),
        ("probabilities", _probabilities(page), "probabilities"),
        ("fair", _fair(page), "groups"),
        ("caveats", _caveats(page), "caveats"),
    ]
    answers = Answers([(w(f"ask.{name}"), said, place) for name, said, place in asked if said])
    return Section("summary", w("section.summary"), [*cards, answers])


def _cards(page: Page, place: int) -> CardColumn:
    w, model = page.w, page.models[place]
    auc = model.estimates["roc_auc"]
    cards = [_card(page, auc, w("card.roc_auc", value=auc.value))]
    if place in page.chosen:
        point = page.chosen[place]
        whose = "new" if point.is_corrected else "here"
        cards += [
            _card(
                page,
                point.expected[name],
                w(f"card.{name}.{whose}", prevalence=point.prevalence),
                uncorrected(page, point, name),
            )
            for name in ("recall", "precision")
        ]
    return CardColumn(model.name, place, cards)


def _card(page: Page, found: Estimate, text: str, also: str = "") -> Card:
    w, ends = page.w, ends_of(page.w, found)
    said = w("interval", level=page.level, ends=ends) if ends else ""
    small = w("list.semicolon").join(s for s in (said, also) if s)
    return Card(label_of(w, found.metric), written(w, way_of(found.metric), found.value), small, text)


def _good(page: Page) -> list[str]:
    said = []
    for model in page.models:
        auc = model.estimates["roc_auc"]
        verdict = "better" if auc.low > 0.5 else "worse" if auc.high < 0.5 else "unclear"
        values = {"value": auc.value, "level": page.level, "ends": ends_of(page.w, auc)}
        said.append(page.w(f"good.{verdict}", model=model.name, **values))
    return said


def _better(page: Page) -> list[str]:
    found = page.evaluation.comparison
    if found is None:
        return []
    said = [pair_sentence(page, found.metric, p, len(found.pairs)) for p in found.pairs[:MOST_PAIRS]]
    more = len(found.pairs) - len(said)
    return [*said, page.w("pair.more", more=more)] if more else said


def _threshold(page: Page) -> list[str]:
    said = []
    for place, point in page.chosen.items():
        rule = page.w.known("rule", point.rule.name)
        kind = "none" if point.flags_nothing else point.higher_is
        values = {"model": page.names[place], "rule": rule, "threshold": point.threshold}
        said.append(page.w(f"threshold.{kind}", **values))
    return said


def _probabilities(page: Page) -> list[str]:
    said = []
    for model in page.models:
        found = model.calibration
        if found is None:
            said.append(page.w("trust.none", model=model.name))
            continue
        key = "trust.recalibrate" if found.signs else "trust.verdict"
        said.append(page.w(key, model=model.name, verdict=found.verdict))
    return said


def _fair(page: Page) -> list[str]:
    """Name the clearest differences in recall and false alarms, by the table's p-value that Holm's method corrects."""
    w = page.w
    looked = [
        (model, column, row)
        for model, tables in page.evaluation.gaps.items()
        for column, table in tables.items()
        for row in table.rows()
        if row["metric"] in ("recall", "fpr")
    ]
    if not looked:
        return []
    defined = [found for found in looked if found[2]["p_holm"] is not None and found[2]["p_holm"] >= 0]
    clear = [found for found in defined if found[2]["p_holm"] < 1 - page.level]
    clear.sort(key=lambda found: float(found[2]["p_holm"]))
    said = [] if clear else [w("fair.none" if defined else "fair.undefined", looked=len(defined))]
    for model, column, row in clear[:MOST_GAPS]:
        ends = w.interval(row["low"], row["high"], "points")
        values = {"model": model, "gap": row["gap"], "ends": ends, "level": page.level, "p": row["p_holm"]}
        said.append(w("fair.clear", metric=w.metric(row["metric"]), column=column, **values))
    more = len(clear) - MOST_GAPS
    return [*said, w("fair.more", more=more)] if more > 0 else said


def _caveats(page: Page) -> list[str]:
    found = page.evaluation.notes
    warned = sum(n.values["severity"] == "warn" for n in found)
    key = "warned" if warned else "noted" if found else "none"
    return [page.w(f"caveats.{key}", warned=warned, noted=len(found) - warned)]
