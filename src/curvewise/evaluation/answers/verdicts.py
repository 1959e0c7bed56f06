"""One answer per question, for the summary, the sections, the caveats, the terminal and the notebook alike."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from curvewise.decisions.trivial import TRIVIAL, cheaper_trivial, costs_of, stated_costs
from curvewise.errors import Note, Word, note
from curvewise.evaluation.answers.better import COST, MOST, pair_values
from curvewise.results.result import Result, Table

if TYPE_CHECKING:
    from curvewise.breakdown.fold_results import ModelFolds
    from curvewise.breakdown.pooling import Pooled
    from curvewise.censored.survival_model import SurvivalModel
    from curvewise.decisions.operating_point import OperatingPoint
    from curvewise.evaluation.evaluation import Evaluation
    from curvewise.evaluation.two_classes import ModelEvaluation
    from curvewise.inference.comparison import Comparison

    Asked = tuple[str, Iterable[Note], str]  # the question, its answers, the section that says more

ALIKE = 0.05  # a miss and a false alarm whose costs differ by less are said to count alike
FEW_MODELS, DETAILED = 6, 4  # so many all have figures of their own; of more models, so many of the best
MOST_CHANGES = 4  # since the baseline, that the summary names
ANSWERED = (
    "miscalibrated",
    "no_skill",
    "reversed",
    "class_probabilities",
)  # caveats that the answer to another question says already

# the sections that say more of many classes; else it is that of the classes
OF_CLASSES = {"classify": "summary", "confused": "summary", "groups": "groups"}


@dataclass(frozen=True, repr=False)
class Verdict(Result, schema="verdict"):
    """The answer to one question in sentences, and the section of the report that says more.

    ``question`` is ``"better"``, ``"ranking"``, ``"threshold"``, ``"then"``, ``"probabilities"``, ``"over_time"``,
    ``"groups"``, ``"sites"``, ``"folds"``, ``"baseline"`` or ``"caveats"``; of many classes ``"classify"``,
    ``"worst"``, ``"confused"``, ``"probabilities"``, ``"groups"``, ``"baseline"`` and ``"caveats"``.
    """

    question: str
    answers: tuple[Note, ...]
    section: str

    @property
    def table(self) -> Table:
        """One row per sentence."""
        return Table("", {"answer": [str(answer) for answer in self.answers]})

    def asked(self, lang: str = "en") -> str:
        """Return the question in a language."""
        return Word("ask", self.question).text(lang)


def verdicts(evaluation: Evaluation) -> tuple[Verdict, ...]:
    """Answer every question that these data can answer."""
    if evaluation.classes is not None:
        answers = evaluation.classes.answers.items()
        asked: list[Asked] = [(question, said, OF_CLASSES.get(question, "classes")) for question, said in answers]
        return _answered([*asked, *_of_any(evaluation)])
    asked = [
        ("better", evaluation.better.answers, "comparison"),
        ("ranking", _ranking(evaluation), "ranking"),
        ("threshold", _threshold(evaluation), "explorer"),
        ("then", _then(evaluation), "explorer"),
        ("probabilities", _probabilities(evaluation), "probabilities"),
        ("over_time", _over_time(evaluation), "over_time"),
        ("groups", _groups(evaluation), "groups"),
        ("sites", _sites(evaluation), "sites"),
        ("folds", _folds(evaluation), "folds"),
        *_of_any(evaluation),
    ]
    return _answered(asked)


def _of_any(evaluation: Evaluation) -> list[Asked]:
    """Return what is asked of models of two classes and of many."""
    return [("baseline", _changes(evaluation), "baseline"), ("caveats", _caveats(evaluation), "caveats")]


def _answered(asked: list[Asked]) -> tuple[Verdict, ...]:
    found = ((question, tuple(answers), section) for question, answers, section in asked)
    return tuple(Verdict(*verdict) for verdict in found if verdict[1])


def has_skill(model: ModelEvaluation) -> bool:
    """Whether these rows show that a model ranks better than chance; without that no threshold is advised."""
    return model.estimates["roc_auc"].low > 0.5


def is_advised(model: ModelEvaluation) -> bool:
    """Whether a threshold is advised: the model has skill, and flagging no row, or every row, costs more."""
    return model.point is not None and has_skill(model) and model.trivial is None


def spoken_of(evaluation: Evaluation) -> list[ModelEvaluation]:
    """Return the models that the answers are about: the best; where that is not decided, all if they are few."""
    return [evaluation.models[name] for name in evaluation.better.spoken_of]


def page_order(evaluation: Evaluation) -> list[ModelEvaluation]:
    """Return the models in the order of the page: their own if they are few; of many the most promising first."""
    models = list(evaluation.models.values())
    if len(models) <= FEW_MODELS:
        return models
    best, deciding = evaluation.better.best, next(iter(evaluation.comparisons.values()))
    sign = 1 if deciding.metric == COST else -1
    rest = sorted((m for m in models if m.name not in best), key=lambda m: sign * deciding.values[m.name])
    return [*(evaluation.models[name] for name in best), *rest]


def detailed(evaluation: Evaluation) -> list[ModelEvaluation]:
    """Return the models that are shown one by one: all of few, of many the most promising."""
    models = page_order(evaluation)
    return models if len(models) <= FEW_MODELS else models[:DETAILED]


def shown_pairs(evaluation: Evaluation, found: Comparison) -> Comparison:
    """Return a comparison with the pairs of the models that are shown one by one, the most promising first."""
    order = {m.name: place for place, m in enumerate(detailed(evaluation))}
    pairs = [p for p in found.pairs if {p.first, p.second} <= set(order)]
    if len(order) < len(evaluation.models):
        pairs.sort(key=lambda p: sorted((order[p.first], order[p.second])))
    return replace(found, pairs=tuple(pairs))


def ranking_of(model: ModelEvaluation) -> Note:
    """Say whether a model ranks better than chance."""
    auc = model.estimates["roc_auc"]
    kind = "better" if has_skill(model) else "worse" if auc.high < 0.5 else "unclear"
    values = {"value": auc.value, "low": auc.low, "high": auc.high, "level": auc.level}
    return note(f"ranks_{kind}", model=model.name, **values)


def _ranking(evaluation: Evaluation) -> list[Note]:
    models = list(evaluation.models.values())
    if len(models) < 2:
        return [ranking_of(model) for model in models]
    good, rest = [m for m in models if has_skill(m)], [m for m in models if not has_skill(m)]
    said = [ranking_of(model) for model in rest[:MOST]]
    if len(rest) > MOST:
        said.append(note("more_without_skill", more=len(rest) - MOST))
    if len(good) == 1:
        return [ranking_of(good[0]), *said]
    areas = [m.estimates["roc_auc"].value for m in good]
    return [note("all_rank_better", models=len(good), low=min(areas), high=max(areas)), *said] if good else said


def _threshold(evaluation: Evaluation) -> Iterator[Note]:
    for model in spoken_of(evaluation):
        yield from trivial_of(model)
        if model.trivial is None or not has_skill(model):
            yield threshold_of(model)


def trivial_of(model: ModelEvaluation) -> list[Note]:
    """Say so where flagging no row, or every row, costs less than the threshold, or is not shown to cost more."""
    costs, point = model.beside_trivial, model.point
    if costs is None or point is None or not has_skill(model):
        return []
    best = cheaper_trivial(costs.values)
    pair = costs.pairs[TRIVIAL.index(best)]
    if pair.is_clear and model.trivial is None:
        return []
    values = pair_values(costs, pair, better_first=False)
    code = f"{'advise' if model.trivial else 'not_below'}_{best}"
    return [note(code, model=model.name, threshold=point.threshold, **values)]


def threshold_of(model: ModelEvaluation) -> Note:
    """Say which threshold to use, by which rule, and what it takes a miss to be worth; or why there is none."""
    point = model.point
    if not has_skill(model):
        return note("no_threshold_without_skill", model=model.name)
    if model.unmet is not None and model.unmet.code.startswith("guarantee_"):
        return note("guarantee_of_model", model=model.name, guarantee=model.unmet)
    if point is None:
        return note("no_threshold_meets_rule", model=model.name, rule=Word("rule", model.rule.name))
    values: dict[str, Any] = {"model": model.name, "rule": Word("rule", point.rule.name)}
    if point.flags_nothing:
        return note("threshold_none", **values)
    stated = stated_costs(point.rule) is not None
    alike = "_alike" if abs(point.cost_ratio - 1) < ALIKE else ""
    worth = note(f"miss_{'stated' if stated else 'implied'}{alike}", ratio=point.cost_ratio)
    side = "high" if point.higher_is == "positive" else "low"
    return note(f"threshold_{side}", threshold=point.threshold, worth=worth, **values)


def _then(evaluation: Evaluation) -> Iterator[Note]:
    for model in spoken_of(evaluation):
        if model.point is None or not has_skill(model):
            continue
        if model.trivial is not None:
            yield note(f"then_{model.trivial}", model=model.name, prevalence=model.point.prevalence)
            continue
        yield consequence_of(model.name, model.point)
        yield from guarantee_of(model)
        if model.beside_trivial is not None:
            yield note("then_costs", model=model.name, **costs_of(model.point))


def guarantee_of(model: ModelEvaluation) -> list[Note]:
    """Say what the threshold keeps on new rows, where the rule asks for it."""
    point = model.point
    if point is None or point.guarantee is None:
        return []
    said = point.guarantee.statement(point.threshold, point.higher_is)
    return [note("guarantee_of_model", model=model.name, guarantee=said)]


def consequence_of(name: str, point: OperatingPoint) -> Note:
    """Say what a choice does to cases: new ones, where that is known."""
    values: dict[str, Any] = {"model": name, "prevalence": point.prevalence}
    if point.flags_nothing:
        return note("then_none", **values)
    rates = {metric: e.value for metric, e in point.expected.items()}
    right = point.prevalence * rates["recall"]
    shares = {"alarms": rates["predicted_rate"], "right": right, "missed": point.prevalence - right}
    values |= {metric: rates[metric] for metric in ("recall", "precision")}
    return note("then_new" if point.is_corrected else "then_here", **shares, **values)


def _probabilities(evaluation: Evaluation) -> list[Note]:
    return [trust_of(model) for model in spoken_of(evaluation)]


def trust_of(model: ModelEvaluation) -> Note:
    """Say whether the probabilities of a model can be trusted."""
    found = model.calibration
    if found is None:
        return note("not_probabilities", model=model.name)
    return note("recalibrate" if found.signs else "trust", model=model.name, verdict=found.verdict)


def _over_time(evaluation: Evaluation) -> list[Note]:
    found = evaluation.survival
    return [] if found is None else [concordance_of_model(found.models[m.name]) for m in spoken_of(evaluation)]


def concordance_of_model(model: SurvivalModel) -> Note:
    """Say how often the row with the higher score has its event first, or why that is not known."""
    e = model.concordance
    if not e.is_defined:
        return note("over_time_undefined", model=model.name, why=e.reason)
    values = {"model": model.name, "value": e.value, "level": e.level}
    if not e.has_interval:
        return note("over_time_value", **values)
    return note("over_time_concordance", ends=(e.low, e.high), **values)


def _groups(evaluation: Evaluation) -> list[Note]:
    """Name the clearest differences in recall and false positive rate, by the corrected p-value of the table."""
    looked = [
        (model, column, row)
        for model, tables in evaluation.gaps.items()
        for column, table in tables.items()
        for row in table.rows()
        if row["metric"] in ("recall", "fpr")
    ]
    if not looked:
        return []
    level = evaluation.options.level
    defined = [found for found in looked if found[2]["p_holm"] is not None and found[2]["p_holm"] >= 0]
    clear = sorted((f for f in defined if f[2]["p_holm"] < 1 - level), key=lambda found: float(found[2]["p_holm"]))
    said = [] if clear else [note("groups_alike" if defined else "groups_undefined", looked=len(defined))]
    for model, column, row in clear[:MOST]:
        values = {"gap": row["gap"], "ends": (row["low"], row["high"]), "level": level, "p": row["p_holm"]}
        said.append(note("groups_differ", model=model, column=column, metric=Word("metric", row["metric"]), **values))
    more = len(clear) - MOST
    return [*said, note("groups_differ_more", more=more)] if more > 0 else said


def _sites(evaluation: Evaluation) -> Iterator[Note]:
    for model in spoken_of(evaluation):
        pooled = evaluation.sites[model.name].pooled if model.name in evaluation.sites else None
        if pooled is not None:
            yield site_sentence(model.name, pooled, evaluation.options.level)


def site_sentence(name: str, pooled: Pooled, level: float) -> Note:
    """Say what the AUC is over all sites, and what to expect at a new one."""
    ends = {"low": pooled.low, "high": pooled.high, "level": level}
    new = {"new_low": pooled.prediction_low, "new_high": pooled.prediction_high}
    return note("sites_pooled", model=name, value=pooled.value, **ends, **new)


def _folds(evaluation: Evaluation) -> Iterator[Note]:
    if evaluation.folds is None:
        return
    number = len(evaluation.folds.folds)
    for model in spoken_of(evaluation):
        yield folds_sentence(evaluation.folds.models[model.name], number)


def folds_sentence(found: ModelFolds, number: int) -> Note:
    """Say what the mean AUC over folds is, how it varies, and what pooling makes of it."""
    mean = found.mean
    values = {"model": found.model, "folds": number, "value": mean.value, "spread": found.spread}
    if not mean.has_interval:
        return note("folds_mean_alone", pooled=found.pooled, **values)
    return note("folds_mean", pooled=found.pooled, low=mean.low, high=mean.high, level=mean.level, **values)


def told_caveats(evaluation: Evaluation) -> list[Note]:
    """Return the caveats that a page lists: of the data, and of the models that are shown one by one."""
    shown = {m.name for m in detailed(evaluation)}
    return [n for n in evaluation.notes if n.values["model"] is None or n.values["model"] in shown or not shown]


def _changes(evaluation: Evaluation) -> list[Note]:
    """Say what has changed since the baseline, of the models that the answers are about and of the rows."""
    found = evaluation.then_and_now
    models = {model.name for model in spoken_of(evaluation)} or set(() if found is None else found.models)
    said = () if found is None else found.verdicts
    told = [of_model(verdict) for verdict in said if verdict.values["model"] in (None, *models)]
    more = len(told) - MOST_CHANGES
    return [*told[:MOST_CHANGES], note("more_changes", more=more)] if more > 1 else told


def _caveats(evaluation: Evaluation) -> list[Note]:
    """Say the warnings that no other answer has said, and how many there are in all."""
    found = evaluation.notes
    warned = [n for n in found if is_warning(n)]
    other = [of_model(n) for n in warned if n.code not in ANSWERED]
    return [*other[:MOST], _counted(len(warned), len(found) - len(warned))]


def _counted(warned: int, noted: int) -> Note:
    if not warned and not noted:
        return note("no_caveats")
    parts = [note(kind, count=count) for kind, count in (("warnings", warned), ("remarks", noted)) if count]
    return (
        note("caveats_counted", counted=parts[0])
        if len(parts) == 1
        else note("caveats_counted", counted=note("first_and_second", first=parts[0], second=parts[1]))
    )


def of_model(found: Note) -> Note:
    """Return a caveat after the name of its model, if it speaks of one."""
    return note("of_model", **{**found.values, "said": found}) if found.values.get("model") else found


def is_warning(found: Note) -> bool:
    """Whether a caveat is serious."""
    return found.values.get("severity") == "warn"
