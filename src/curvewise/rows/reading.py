"""From labels and scores in any container to `Rows`: every check of a user's data, once, in one wording.

A message says what was expected, what came, where (first rows, counted from 0), how many, what to do.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from functools import wraps
from inspect import unwrap
from numbers import Integral
from typing import Any, ParamSpec

import numpy as np
from numpy.typing import NDArray

from curvewise.errors import ColumnName, CurvewiseError, OptionName, RowNumbers, unknown_option
from curvewise.rows.category import category, codes_of, named_columns
from curvewise.rows.checks import as_float, one_of, whole
from curvewise.rows.columns import (
    EXACT_FLOAT,
    Column,
    as_column,
    by_text,
    count,
    frame_columns,
    is_number,
    row_numbers,
    shown,
)
from curvewise.rows.labels import binary_labels, ones
from curvewise.rows.rows import HigherIs, Missing, RowOptions, Rows, WeightKind
from curvewise.rows.strata import read_strata
from curvewise.rows.weight_scale import with_near_weights

P = ParamSpec("P")
MOST_DECIMALS = 10_000  # of any float: more change none
MOST_WEIGHT = 2**62  # whole weights are summed in int64
GAPS, DROP = "fill the gaps, or pass {option} to leave such rows out", OptionName("missing", "drop")
ONE = "score"  # the name of the model where scores come without one


def _owning(read: Callable[P, Rows]) -> Callable[P, Rows]:
    """Let what was read own its data; ``unwrap`` gives the reader for verbs that keep none of them."""

    @wraps(read)
    def owned(*arguments: P.args, **options: P.kwargs) -> Rows:
        return read(*arguments, **options).owned()

    return owned


@_owning
def read_rows(
    y: object,
    score: object,
    *,
    weight: object = None,
    weight_kind: WeightKind = "sampling",
    cluster: object = None,
    stratum: object = None,
    group: object = None,
    site: object = None,
    fold: object = None,
    id: object = None,  # noqa: A002 - the name that a user would give it
    positive: object = None,
    higher_is: HigherIs = "positive",
    missing: Missing = "raise",
    round_to: int | None = None,
) -> Rows:
    """Read labels, scores and all that belongs to them once, for any number of verbs.

    Parameters
    ----------
    y
        Labels of two classes, as in `curvewise.sweep`.
    score
        Scores of one model, or a dict of scores by the name of the model.
    weight, weight_kind, cluster, stratum, positive, higher_is, missing, round_to
        As in `curvewise.sweep`. ``missing="drop"`` leaves out a row for all models if one lacks a value.
    group
        A column of group names, or several: a dict of columns by name, or a frame. Rows without a name are
        the group "(missing)".
    site, fold, id
        The site and the fold of each row, and what the user calls it.

    Returns
    -------
    Rows
        Taken by every verb in the place of labels and scores.

    Examples
    --------
    >>> import curvewise as cw
    >>> rows = cw.read_rows([0, 0, 1, 1], {"a": [1, 3, 2, 4], "b": [1, 2, 3, 4]}, cluster=[7, 7, 8, 9])
    >>> rows
    Rows(4 rows: 2 positive, 2 negative; 2 models (a, b); 3 clusters)
    >>> cw.roc_auc(rows.of("b"))
    1.0
    """
    one_of("higher_is", higher_is, ("positive", "negative"))
    one_of("weight_kind", weight_kind, ("sampling", "count"))
    decimals = None if round_to is None else whole("round_to", round_to, 0)
    models = _models(score)
    groups = {} if group is None else named_columns(group)
    named = {n: ("group" if len(groups) == 1 else f"group {n!r}", data) for n, data in groups.items()}
    optional = {"weight": weight, "cluster": cluster, "stratum": stratum}
    given = {"y": y, **dict(models.values()), **{k: v for k, v in optional.items() if v is not None}}
    beside = dict(named.values())
    beside |= {k: v for k, v in (("site", site), ("fold", fold), ("id", id)) if v is not None}
    columns, others, dropped = read_columns(given, missing, beside)
    is_positive = binary_labels(columns["y"], positive, other=columns[next(iter(models.values()))[0]])
    values = {name: real_numbers(columns[role]) for name, (role, _) in models.items()}
    if decimals is not None:
        values = {name: rounded(v, decimals) for name, v in values.items()}
    weights = read_weight(columns, weight_kind)
    clusters = codes_of(columns["cluster"], "a label for each row (text, a number)") if "cluster" in columns else None
    return Rows(
        is_positive,
        values,
        weights,
        weight_kind,
        clusters,
        **read_strata(columns, clusters, weights if weight_kind == "count" else None),
        groups={name: category(name, others[role]) for name, (role, _) in named.items()},
        site=category("site", others["site"]) if "site" in others else None,
        fold=category("fold", others["fold"]) if "fold" in others else None,
        id=names_of_rows(others["id"]) if "id" in others else None,
        dropped=dropped,
        round_to=decimals,
        higher_is=higher_is,
        backend=next((c.backend for c in columns.values() if c.backend), None),
        kept=columns["y"].rows,
    )


def names_of_rows(column: Column) -> NDArray[Any]:
    """Return names of rows, None where a row has none."""
    if column.missing is None or not column.missing.any():
        return column.values
    found = column.values.astype(object)
    found[column.missing] = None
    return found


def rows_within(y: object) -> object:
    """Return the rows of what holds them, such as a horizon; anything else as it is."""
    held = getattr(y, "rows", None)
    return held if isinstance(held, Rows) else y


def as_rows(y: object, score: object, options: Mapping[str, Any]) -> Rows:
    """Take rows, or read labels and scores; weights far from 1 are scaled, since verbs multiply them."""
    return with_near_weights(as_given(y, score, options))


def as_given(y: object, score: object, options: Mapping[str, Any]) -> Rows:
    """Take rows as they are, or read labels and scores, with weights as they were given."""
    y = rows_within(y)
    if isinstance(y, Rows):
        refuse_beside("Rows were", score, options)
        return y
    if not options and (plain := _plain_rows(y, score)) is not None:
        return plain
    refuse_unknown(options)
    read: Rows = unwrap(read_rows)(y, score, **options)
    return read


def _plain_rows(y: object, score: object) -> Rows | None:
    """Return the rows of two NumPy arrays of numbers in which nothing is odd; None where anything may be.

    What `read_rows` would return, some thirty times as fast for few rows: no message can come from here.
    """
    if type(y) is not np.ndarray or type(score) is not np.ndarray or y.ndim != 1 or y.shape != score.shape:
        return None
    kinds = y.dtype.kind, score.dtype.kind
    if not len(y) or kinds[0] not in "biuf" or kinds[1] not in "iuf" or not (y.dtype.isnative and score.dtype.isnative):
        return None
    if kinds[1] == "f" and (least := np.minimum.reduce(score)) != least:  # NaN
        return None
    positive = ones(y)
    return None if positive is None else Rows(positive, {ONE: score})


def read_models(y: object, scores: object, options: Mapping[str, Any]) -> list[Rows]:
    """Return the rows of several models: one `Rows` if all scored the same rows, else one per model.

    ``y`` are labels, `Rows` alone, or a dict of labels by model; ``weight``, ``cluster`` and ``stratum``
    are then dicts too.
    """
    y = rows_within(y)
    scores = frame_columns(scores, "scores") or scores
    if not isinstance(y, Mapping):
        if not isinstance(y, Rows) and not isinstance(scores, Mapping):
            raise CurvewiseError('scores: expected a dict of models, as in {"a": scores_a, "b": scores_b}.')
        return [as_rows(y, scores, options)]
    y = by_text(y, "y")
    scores = by_text(scores, "scores") if isinstance(scores, Mapping) else scores
    if not isinstance(scores, Mapping) or set(y) != set(scores):
        named = sorted(map(str, scores)) if isinstance(scores, Mapping) else scores
        raise CurvewiseError(
            f"y and scores: expected labels for each model, got labels for {sorted(map(str, y))} "
            f"and scores for {named}."
        )
    refuse_unknown(options)
    own: dict[str, dict[str, Any]] = {name: dict(options) for name in scores}
    for option in ("cluster", "weight", "stratum"):
        given = options.get(option)
        if given is None:
            continue
        if not isinstance(given, Mapping):
            several = "strata" if option == "stratum" else f"{option}s"
            raise CurvewiseError(f"{option}: models on different rows need a dict of {several}, one entry per model.")
        of_models = by_text(given, option)
        for name in scores:
            own[name][option] = of_models.get(name)
    return [with_near_weights(read_rows(y[name], {name: scores[name]}, **own[name])) for name in scores]


def refuse_beside(what: str, score: object, options: Mapping[str, object]) -> None:
    """Refuse scores or reading options where finished rows or a sweep were given."""
    refuse_unknown(options)
    if score is not None or options:
        given = ", ".join((["score"] if score is not None else []) + list(options))
        raise CurvewiseError(f"{what} given, so the rows are already read: {given} cannot apply; read them anew.")


def refuse_unknown(options: Mapping[str, object], more: Iterable[str] = ()) -> None:
    """Refuse an option that no verb has, and suggest the nearest one; ``more`` are a verb's own."""
    for name in options:
        if name not in RowOptions.__annotations__:
            raise unknown_option(name, [*more, *RowOptions.__annotations__])


def _models(score: object) -> dict[str, tuple[str, object]]:
    """Return the column name and the scores of each model."""
    if not isinstance(score, Mapping):
        return {ONE: ("score", score)}
    if not score:
        raise CurvewiseError('scores: expected a dict of models, as in {"a": scores_a, "b": scores_b}.')
    by_text(score, "scores")  # refuses two models of one name
    return {str(name): (f"score {name!r}", data) for name, data in score.items()}


def read_labels(
    y: object,
    predicted: object,
    *,
    weight: object = None,
    positive: object = None,
    missing: Missing = "raise",
) -> tuple[NDArray[np.bool_], NDArray[np.bool_], NDArray[Any] | None, int]:
    """Check true and predicted labels, which must share one coding; also say how many rows were dropped."""
    given = {"y": y, "predicted": predicted, **({} if weight is None else {"weight": weight})}
    columns, _, dropped = read_columns(given, missing)
    truth, guess = columns["y"].values, columns["predicted"].values
    if positive is None and guess.dtype.kind == "f":
        _refuse_fractions(columns["predicted"])
    kinds = {truth.dtype.kind, guess.dtype.kind}
    exact = kinds <= set("biu") and np.result_type(truth, guess).kind != "f"
    if len(kinds) > 1 and not exact:  # NumPy would merge labels that differ
        truth, guess = truth.astype(object), guess.astype(object)
    rows = columns["y"].rows
    both = Column(
        "y and predicted",
        np.concatenate([truth, guess]),
        rows=np.tile(np.arange(len(truth)) if rows is None else rows, 2),
    )
    mask = binary_labels(both, positive)
    weights = whole_or_float(columns["weight"]) if "weight" in columns else None
    return mask[: len(truth)], mask[len(truth) :], weights, dropped


def read_columns(
    data: Mapping[str, object], missing: Missing, beside: Mapping[str, object] | None = None
) -> tuple[dict[str, Column], dict[str, Column], int]:
    """Align columns; drop rows of weight zero, then rows with a missing value if asked to.

    The columns ``beside`` go along, and may lack values. Returns both, and how many rows were dropped.
    """
    one_of("missing", missing, ("raise", "drop"))
    columns = {k: as_column(v, k) for k, v in data.items()}
    others = {k: as_column(v, k) for k, v in (beside or {}).items()}
    check_aligned([*columns.values(), *others.values()])

    def keep(mask: NDArray[np.bool_]) -> None:
        for found in (columns, others):
            found.update({k: c.keep(mask) for k, c in found.items()})

    if "weight" in columns:
        zero = _zero(columns["weight"])
        if zero.any():
            keep(~zero)
    masks = [c.missing for c in columns.values() if c.missing is not None and c.missing.any()]
    if not masks:
        return columns, others, 0
    if missing == "raise":
        raise _has_missing(columns.values(), GAPS, DROP)
    gone = np.logical_or.reduce(masks)
    if gone.all():
        raise CurvewiseError(f"No row is left: a value is missing in {len(gone)} of {count(len(gone), 'row')}.")
    keep(~gone)
    return columns, others, int(gone.sum())


def real_numbers(column: Column) -> NDArray[Any]:
    """Return scores or weights as a numeric array, exact in the dtype given."""
    values = column.values
    if values.dtype.kind == "b":
        return values.view(np.uint8)
    if values.dtype.kind in "iuf":
        return values
    there = np.ones(len(values), dtype=bool) if column.missing is None else ~column.missing
    bad = np.fromiter((not is_number(v) for v in values), dtype=bool, count=len(values)) & there
    if bad.any():
        raise column.wrong(bad, "real numbers", "convert first")
    present = _exact_numbers(values[there].tolist(), column.name)
    numbers = np.zeros(len(values), dtype=present.dtype)
    numbers[there] = present
    return numbers


def whole_or_float(column: Column) -> NDArray[np.int64] | NDArray[np.float64]:
    """Return weights or counts as int64 when all are whole (repetition, exact), else as float64."""
    if column.missing is not None and column.missing.any():
        raise _has_missing([column], "fill the gaps, or leave such rows out")
    values = real_numbers(column)
    with np.errstate(over="ignore", invalid="ignore"):  # infinite ones are refused below
        if values.dtype.kind == "f":
            values = values.astype(np.float64, copy=False)
        total = values.sum(dtype=np.float64)
    bad = (values < 0) | ~np.isfinite(values)
    if bad.any():
        noun = "weights" if column.name == "weight" else "counts"
        raise column.wrong(bad, f"{noun} of 0 or more, all finite")
    fractional = values.dtype.kind == "f" and bool((values != np.floor(values)).any())
    if fractional or (values.dtype.kind == "f" and total >= EXACT_FLOAT):
        if not np.isfinite(total):
            raise column.error("the sum is more than float64 can hold; scale the values down.")
        return values
    if total >= MOST_WEIGHT:
        raise column.error("the sum is more than 2^62, beyond exact counts; scale the values down.")
    return values.astype(np.int64)


def read_weight(columns: Mapping[str, Column], kind: WeightKind) -> NDArray[Any] | None:
    """Return the weights, if there are any: whole where they count rows."""
    if "weight" not in columns:
        return None
    weights = whole_or_float(columns["weight"])
    if kind == "count" and weights.dtype.kind == "f":
        raise columns["weight"].wrong(weights != np.floor(weights), "whole numbers, since they are counts")
    return weights


def check_aligned(columns: list[Column]) -> None:
    """Refuse columns of different lengths, or of pandas objects with different indexes."""
    first = columns[0]
    for column in columns[1:]:
        if len(column) != len(first):
            raise CurvewiseError(
                f"{first.name} and {column.name} must be equally long: {first.name} has "
                f"{count(len(first), 'row')}, {column.name} has {count(len(column), 'row')}."
            )
    if not len(first):
        raise CurvewiseError("Expected at least one row, got none.")
    indexed = [c for c in columns if c.index is not None]
    for column in indexed[1:]:
        if not indexed[0].index.equals(column.index):
            raise CurvewiseError(
                f"{indexed[0].name} and {column.name} are pandas objects with different indexes; "
                "align them first, or pass .to_numpy() of each if rows correspond by position."
            )


def _refuse_fractions(predicted: Column) -> None:
    """Refuse scores in the place of predicted labels."""
    bad = predicted.values != np.floor(predicted.values)
    if bad.any():
        raise predicted.wrong(bad, "labels", "for scores use confusion(y, score, threshold=...)")


def rounded(values: NDArray[Any], decimals: int) -> NDArray[Any]:
    """Round without overflow: a score too large to be scaled has no such decimals."""
    if values.dtype.kind != "f":
        return values
    wide = values.astype(np.result_type(values.dtype, np.float64), copy=False)
    with np.errstate(over="ignore", invalid="ignore"):
        rounded = np.round(wide, min(decimals, MOST_DECIMALS))
    return np.where(np.isfinite(rounded), rounded, wide).astype(values.dtype)


def _exact_numbers(numbers: list[Any], name: str) -> NDArray[Any]:
    """Hold Python numbers in a NumPy dtype that keeps apart whatever differs, or refuse."""
    if not all(isinstance(v, Integral) for v in numbers):
        floats = [as_float(v) for v in numbers]
        merged = _first_merged(floats, numbers)
        if merged is None:
            return np.array(floats, dtype=np.float64)
        if not all(map(math.isfinite, floats)) or any(v != int(v) for v in numbers):
            raise CurvewiseError(
                "{column}: float64 cannot tell {one} from {other}; rank or round them first.",
                column=ColumnName(name),
                one=shown(merged[0]),
                other=shown(merged[1]),
            )
    low, high = min(numbers, default=0), max(numbers, default=0)
    for dtype in (np.int64, np.uint64):
        if np.iinfo(dtype).min <= low and high <= np.iinfo(dtype).max:
            return np.array([int(v) for v in numbers], dtype=dtype)
    raise CurvewiseError(
        "{column}: whole numbers from {low} to {high} do not fit in 64 bits; rank them first.",
        column=ColumnName(name),
        low=shown(low),
        high=shown(high),
    )


def _first_merged(floats: list[float], numbers: list[Any]) -> tuple[Any, Any] | None:
    """Return the first two different numbers that are one float; too large ones are infinite."""
    seen: dict[float, Any] = {math.inf: math.inf, -math.inf: -math.inf}
    for value, number in zip(floats, numbers, strict=True):
        if seen.setdefault(value, number) != number:
            return number, seen[value]
    return None


def _zero(weight: Column) -> NDArray[np.bool_]:
    """Mark the rows of weight 0."""
    zero: NDArray[np.bool_] = real_numbers(weight) == 0
    if weight.missing is not None:
        zero &= ~weight.missing
    if zero.all():
        raise weight.error(f"all {count(len(zero), 'weight')} are 0, so no row is left.")
    return zero


def _has_missing(columns: Iterable[Column], advice: str, option: OptionName | None = None) -> CurvewiseError:
    absent = [(c, c.missing) for c in columns if c.missing is not None and c.missing.any()]
    found = [(c.name, int(missing.sum()), row_numbers(missing, c.rows)) for c, missing in absent]
    return missing_values(found, advice, option)


def missing_values(
    found: Iterable[tuple[str, int, RowNumbers | None]],
    advice: str = GAPS,
    option: OptionName | None = DROP,
) -> CurvewiseError:
    """Return the error that says how many values are missing in which column, and in which rows where that is known."""
    parts, fields = [], dict[str, object]()
    for k, (name, number, rows) in enumerate(found):
        parts.append(f"{{column{k}}} has {{count{k}}}" + ("" if rows is None else f" ({{rows{k}}})"))
        fields |= {f"column{k}": ColumnName(name), f"count{k}": count(number, "missing value")}
        fields |= {} if rows is None else {f"rows{k}": rows}
    if option is not None:
        fields["option"] = option
    return CurvewiseError(f"{' and '.join(parts)}; {advice}.", **fields)
