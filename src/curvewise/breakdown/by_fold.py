"""Cross-validation fold by fold: mean and spread of a metric, and the pooled value beside them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from curvewise.breakdown.by_group import beside_rows
from curvewise.breakdown.fold_mean import expected_spread, mean_over_folds, values_of
from curvewise.breakdown.fold_results import Fold, Folds, ModelFolds
from curvewise.breakdown.fold_shift import fold_shift
from curvewise.breakdown.group_gaps import listed
from curvewise.breakdown.group_metrics import estimates_of, sizes_of
from curvewise.breakdown.partition import Partition, partition, ranked, whole_sweep
from curvewise.core.resampling import REPLICATES
from curvewise.errors import ColumnName, CurvewiseError, Note, OptionError, UndefinedMetricError, note
from curvewise.inference.interval import FEW, independent, split_options
from curvewise.metric.registry import Bound, bound
from curvewise.rows.category import Category, combined, named_columns
from curvewise.rows.checks import real, whole
from curvewise.rows.columns import as_column, count, row_numbers
from curvewise.rows.reading import as_rows, read_rows, rows_within
from curvewise.rows.rows import RowOptions, Rows
from curvewise.rows.seeds import random_stream
from curvewise.rows.weight_scale import with_near_weights

if TYPE_CHECKING:
    from curvewise.core.sweep import Sweep

Key: TypeAlias = "tuple[str | None, str]"  # repeat, and name of the fold
VERB = ("fold", "repeat", "metric", "train_size", "level", "rng", "replicates")


def by_fold(
    y: object,
    score: object = None,
    fold: object = None,
    *,
    repeat: object = None,
    metric: str | Callable[[Sweep], float] = "roc_auc",
    train_size: int | None = None,
    level: float = 0.95,
    rng: np.random.Generator | int | None = 0,
    replicates: int = REPLICATES,
    **options: Any,
) -> Folds:
    """Evaluate cross-validation: a metric in each fold, its mean and spread, and the pooled value beside them.

    Parameters
    ----------
    y, score
        Labels, and the scores that rows got when they were held out; or a dict of scores by the name of the model. Or
        `Rows` or a `Horizon` alone.
    fold
        The fold in which each row was held out. With `Rows`, None takes the fold that they hold.
    repeat
        With repeated cross-validation, which repeat each row belongs to; ``y`` then has every row once per repeat.
    metric
        As in `curvewise.interval`: a name, or a function of a `Sweep`.
    train_size
        How many rows each model was fitted on; by default all rows of its repeat that are not in the fold.
    level, rng, replicates
        As in `curvewise.interval`.
    **options
        Options of the metric (``threshold=``, ``fpr=`` …) and of `curvewise.sweep` (``weight``, ``cluster``,
        ``positive`` …).

    Returns
    -------
    Folds
        ``folds``, ``mean`` (with its interval), ``spread``, ``pooled``, ``difference`` (pooled minus mean);
        ``curve()``, ``compare()`` for several models, ``plot()``.

    Raises
    ------
    UndefinedMetricError
        Where a fold does not define the metric: a fold of one class has no AUC, as in leave-one-out.

    Notes
    -----
    *Spread* is the standard deviation over folds: how the number varies from one small test set, and its model, to the
    next. Divided by √k it is **not** the standard error of the mean, since training sets overlap; no unbiased estimate
    of that error exists (Bengio & Grandvalet 2004). ``expected_spread`` is what chance in the test rows alone would
    make of it.

    *Interval of the mean.* For AUC, √(ΣVⱼ)/k with DeLong's variance Vⱼ of each fold, on the logit scale: it
    speaks of new rows for the models of these folds (as LeDell, Petersen & van der Laan 2015 do). For any other metric,
    ±t·√((1/J + n_test/n_train)·s²) (Nadeau & Bengio 2003), for new training sets, which is wider than it need be.
    How often both held is counted in ``simulations/folds.py``.

    *Pooled* compares rows of different folds, which were scored by different models. Where these are calibrated
    differently, pooled AUC falls although every model ranks its own rows as well. A warning says so where the scores
    of folds differ within classes by more than chance (Kruskal-Wallis, p < 0.01) and pooled value and mean differ by
    0.005 or more: trust the mean then.

    References
    ----------
    Bengio & Grandvalet (2004) J. Mach. Learn. Res. 5:1089-1105. Nadeau & Bengio (2003) Machine Learning 52:239-281.
    LeDell, Petersen & van der Laan (2015) Electron. J. Stat. 9:1583-1607. Forman & Scholz (2010) SIGKDD Explor.
    12(1):49-57. Airola, Pahikkala, Waegeman, De Baets & Salakoski (2011) Comput. Stat. Data Anal. 55:1828-1844.

    Examples
    --------
    >>> import curvewise as cw
    >>> y     = [1, 1, 0, 0, 1, 1, 0, 0]
    >>> score = [9, 6, 7, 2, 4, 3, 2, 1]
    >>> found = cw.by_fold(y, score, list("aaaabbbb"))
    >>> found.mean.value, round(found.spread, 4), found.pooled
    (0.875, 0.1768, 0.8125)
    """
    reading, own = split_options(options)
    target = bound(metric, own, VERB)
    read, folds, repeats = read_folds(y, score, fold, repeat, reading)
    size = None if train_size is None else whole("train_size", train_size, 1)
    return folds_of(read, folds, repeats, target, size, level, rng, replicates)


def read_folds(
    y: object, score: object, fold: object, repeat: object, options: RowOptions
) -> tuple[Rows, Category, Category | None]:
    """Read rows, their folds, and their repeats where there are any."""
    y = rows_within(y)
    if isinstance(y, Rows) and y.horizon is not None and fold is None:  # by_fold(horizon, fold)
        score, fold = None, score
    if isinstance(y, Rows):
        read = as_rows(y, score, options)
        if fold is None and read.fold is None:
            raise CurvewiseError("fold: these rows hold no fold; pass it here, or to read_rows.")
        given = {name: data for name, data in (("fold", fold), ("repeat", repeat)) if data is not None}
        read, found = beside_rows(read, {name: _one_column(name, data) for name, data in given.items()}, "fold")
        named = dict(zip(given, found, strict=True))
        folds, repeats = named.get("fold", read.fold), named.get("repeat")
    else:
        held = None if repeat is None else {"repeat": _one_column("repeat", repeat)}
        read = with_near_weights(read_rows(y, score, fold=_one_column("fold", fold), group=held, **options))
        folds, repeats = read.fold, read.groups.get("repeat")
    assert folds is not None  # noqa: S101 - it was given
    _refuse_missing("fold", folds, read)
    _refuse_missing("repeat", repeats, read)
    if repeats is not None and read.horizon is not None:
        raise OptionError.of("repeat", "censored outcomes have no repeats yet; evaluate one repeat at a time.")
    return read, folds, repeats


def folds_of(
    read: Rows,
    folds: Category,
    repeats: Category | None,
    target: Bound,
    train_size: int | Mapping[Key, int] | None,
    level: float,
    rng: np.random.Generator | int | None = 0,
    replicates: int = REPLICATES,
) -> Folds:
    """Measure every model in every fold; ``train_size`` is that of all folds, or of each by repeat and name."""
    level = real("level", level, 0, 1, closed=False)
    replicates = whole("replicates", replicates, 2)
    stream = random_stream(rng)  # refuses what is no seed
    seed = rng if isinstance(rng, int) else int(stream.integers(2**62))
    both = folds if repeats is None else combined([repeats, folds])
    parts = {name: partition(read.of(name), ranked(read.of(name)), both) for name in read.models}
    part = next(iter(parts.values()))
    rows = np.diff(part.start)
    if len(rows) < 2:
        raise CurvewiseError("fold: expected two folds or more, got one.")
    first = np.unique(both.code, return_index=True)[1]  # a row of each fold
    names = [folds.names[k] for k in folds.code[first]]
    of_repeat = [None] * len(first) if repeats is None else [repeats.names[k] for k in repeats.code[first]]
    keys: list[Key] = list(zip(of_repeat, names, strict=True))
    sizes = _train_sizes(keys, rows, train_size)
    sweeps = {name: own.sweeps() for name, own in parts.items()}
    _refuse_one_class(target, names, rows, next(iter(sweeps.values())))
    found = []
    for k, (repeat, fold) in enumerate(keys):
        here = {name: own[k] for name, own in sweeps.items()}
        some = {name: None if read.is_plain else own.rows_of(k) for name, own in parts.items()}
        estimates = {
            name: estimates_of([target], sweep, some[name], level, seed, replicates)[target.name]
            for name, sweep in here.items()
        }
        units = {name: independent(some[name], sweep) for name, sweep in here.items()}
        counted = sizes_of(next(iter(here.values())))
        size = counted["n"], counted["positives"], int(rows[k]), sizes[k]
        found.append(Fold(fold, repeat, *size, estimates, here, units))
    nested = part.is_nested if repeats is None else _nested_within(read, folds, repeats)
    models = {name: _of_model(name, target, found, own, repeats, level, nested=nested) for name, own in parts.items()}
    often = 1 if repeats is None else len(np.unique(repeats.code))
    notes = _notes(models, found, nested=nested)
    return Folds(tuple(found), models, target, level, often, read.dropped, notes, read.backend)


def _of_model(
    name: str,
    target: Bound,
    folds: Sequence[Fold],
    part: Partition,
    repeats: Category | None,
    level: float,
    *,
    nested: bool,
) -> ModelFolds:
    """Return mean, spread and pooled value of one model, and whether its scores differ between folds."""
    _refuse_undefined(target, name, folds)
    mean = mean_over_folds(target, name, folds, level, nested=nested, plain=part.rows.is_plain)
    spread = float(np.std(values_of(folds, name), ddof=1))
    shift = fold_shift(part, None if repeats is None else repeats.code)
    return ModelFolds(name, mean, spread, expected_spread(name, folds), _pooled(part, repeats, target), shift)


def _nested_within(rows: Rows, folds: Category, repeats: Category) -> bool:
    """Say whether no cluster has rows in two folds of one repeat; it has some in every repeat."""
    if rows.cluster is None:
        return True
    within = rows.cluster * np.intp(len(repeats)) + repeats.code
    return len(np.unique(within)) == len(np.unique(within * np.intp(len(folds)) + folds.code))


def _one_column(role: str, data: object) -> object:
    columns = named_columns(data, role)
    if len(columns) != 1:
        raise CurvewiseError(f"{role}: expected one column, got {len(columns)}.")
    column: Any = next(iter(columns.values()))
    first = column[:1] if isinstance(column, (list, tuple)) else []
    if getattr(column, "ndim", 1) == 2 or any(isinstance(value, (list, tuple)) for value in first):
        raise CurvewiseError(f"{role}: expected one value per row, got several; a repeat goes in repeat=.")
    if column is None:
        as_column(None, role)  # refuses
    return column


def _refuse_missing(role: str, found: Category | None, rows: Rows) -> None:
    """Refuse rows without a fold: it is not known which model scored them."""
    if found is None or found.labels[-1] is not None:
        return
    absent = found.code == len(found) - 1  # the last group is that of rows without a name
    if absent.any():
        where = row_numbers(absent, rows.kept)
        raise CurvewiseError(
            "{column} has {count} ({rows}); leave out rows that were never held out.",
            column=ColumnName(role),
            count=count(int(absent.sum()), "missing value"),
            rows=where,
        )


def _train_sizes(keys: Sequence[Key], rows: NDArray[Any], given: int | Mapping[Key, int] | None) -> list[int]:
    """Return how many rows the models of each fold were fitted on: as given, else all others of the same repeat."""
    if isinstance(given, int):
        return [given] * len(keys)
    if given is not None:
        return [given[key] for key in keys]
    whole = Counter[str | None]()
    for (repeat, _), held in zip(keys, rows, strict=True):
        whole[repeat] += int(held)
    found = [whole[repeat] - int(own) for (repeat, _), own in zip(keys, rows, strict=True)]
    if not all(found):
        alone = next(repeat for (repeat, _), size in zip(keys, found, strict=True) if not size)
        raise CurvewiseError(
            f"repeat: {alone!r} has one fold alone, so the number of its training rows is not known; pass train_size=."
        )
    return found


def _refuse_one_class(target: Bound, names: Sequence[str], rows: NDArray[Any], sweeps: Sequence[Sweep]) -> None:
    """Refuse folds that lack a class which the metric needs; say what to do where every fold is one row."""
    lacks = [name for name, s in zip(names, sweeps, strict=True) if any(not getattr(s, c) for c in target.metric.needs)]
    if not lacks:
        return
    counted = {"lacks": len(lacks), "of": len(names), "folds": listed(lacks)}
    why = note("folds_of_one_row") if rows.max() == 1 else note("folds_lack_class", **counted)
    raise UndefinedMetricError("{metric} over folds is undefined: {why}.", metric=target.name, why=why)


def _refuse_undefined(target: Bound, model: str, folds: Sequence[Fold]) -> None:
    """Refuse a metric that some fold does not define."""
    undefined = [(f.name, f.estimates[model].reason) for f in folds if not f.estimates[model].is_defined]
    if undefined:
        raise UndefinedMetricError(
            f"{target.name} over folds is undefined: {len(undefined)} of {len(folds)} folds do not define it "
            f"({listed([name for name, _ in undefined])}): {undefined[0][1]}."
        )


def _pooled(part: Partition, repeats: Category | None, target: Bound) -> float:
    """Return the metric of all rows, averaged over repeats."""
    if repeats is None:
        return target(whole_sweep(part.rows, part.ranking))
    return float(np.mean([target(sweep) for sweep in partition(part.rows, part.ranking, repeats).sweeps()]))


def _notes(models: dict[str, ModelFolds], folds: Sequence[Fold], *, nested: bool) -> tuple[Note, ...]:
    """Say what the numbers mean, and what speaks against them."""
    warned = {name: warning for name, model in models.items() if (warning := model.warning()) is not None}
    found = [said if len(models) == 1 else note("of_model", model=name, said=said) for name, said in warned.items()]
    first = next(iter(models))
    few = [min(fold.units[first]) for fold in folds if min(fold.units[first]) < FEW]
    if few:
        found.append(note("small_folds", folds=len(few), of=len(folds), least=min(few)))
    if not nested:
        found.append(note("clusters_span_folds"))
    found += [shift.reason for shift in (m.shift for m in models.values()) if shift.reason is not None][:1]
    return (*found, note("spread_of_folds"))
