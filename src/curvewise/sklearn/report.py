"""The text report of precision, recall and F1 of each class, and their averages."""

from __future__ import annotations

from typing import Any, Literal, cast

import numpy as np
from numpy.typing import ArrayLike

from curvewise.sklearn.counting import Cells, marks_of_both, table_of_labels
from curvewise.sklearn.hand_over import in_place_of_theirs, require
from curvewise.sklearn.rates import averaged, check_zero, f_beta, precision, recall
from curvewise.sklearn.reading import array

HEADERS = ("precision", "recall", "f1-score", "support")
RATES = (precision, recall, f_beta(1))
WIDEST = "weighted avg"
Lines = dict[str, tuple[Any, Any, Any, Any]]


@in_place_of_theirs
def classification_report(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    labels: ArrayLike | None = None,
    target_names: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    digits: int = 2,
    output_dict: bool = False,
    zero_division: Literal["warn"] | float = "warn",
) -> str | dict[str, Any]:
    """Return precision, recall, F1 and the number of rows of each class as text or as a dict, counted once."""
    require(isinstance(digits, int) and digits >= 0 and isinstance(output_dict, bool))
    check_zero(zero_division)
    truth = array(y_true)
    every = labels is None
    table = None
    if truth.ndim == 1:
        table = table_of_labels(truth, y_pred, sample_weight)
        require(array(y_pred).dtype.kind == truth.dtype.kind)
        classes = table.classes if labels is None else array(labels)
        cells, row_weight, by_row = table.cells(labels), None, None
        every = every or set(classes.tolist()) >= set(table.classes.tolist())
    else:
        marks = marks_of_both(truth, y_pred, sample_weight).of(labels)
        classes = np.arange(truth.shape[1]) if labels is None else array(labels)
        cells, row_weight, by_row = marks.cells(by_row=False), marks.weight, marks.cells(by_row=True)
        every = False
    names = [f"{label}" for label in classes] if target_names is None else list(array(target_names))
    require(len(names) == len(classes) == len(set(names)) and all(isinstance(name, str) for name in names))
    support = cells.true.sum()

    def mean(some: Cells, average: Any, weight: Any = None) -> tuple[Any, Any, Any, Any]:
        over = averaged(some, average, weight)
        return *(over.rate(rate, zero_division) for rate in RATES), support

    each = zip(*(averaged(cells, None).rate(rate, zero_division) for rate in RATES), cells.true, strict=True)
    lines: Lines = dict(zip(names, each, strict=True))
    means: Lines = {"accuracy" if every else "micro avg": mean(cells, "micro")}
    means |= {f"{average} avg": mean(cells, average) for average in ("macro", "weighted")}
    if by_row is not None:
        means["samples avg"] = mean(by_row, "samples", row_weight)
        averaged(by_row, None).answer(None, zero_division, RATES)  # hands over what is to be warned of
    require(not lines.keys() & means.keys())
    shown = _as_dict(lines | means) if output_dict else _as_text(lines, means, digits)
    return cast("str", averaged(cells, None)._replace(table=table).answer(shown, zero_division, RATES))


def _as_dict(lines: Lines) -> dict[str, Any]:
    """Return a dict of numbers per line, of accuracy the number alone."""
    numbers: dict[str, Any] = {k: dict(zip(HEADERS, map(float, v), strict=True)) for k, v in lines.items()}
    if "accuracy" in numbers:
        numbers["accuracy"] = numbers["accuracy"]["precision"]
    return numbers


def _as_text(lines: Lines, means: Lines, digits: int) -> str:
    """Return one line per class and per mean, in columns."""
    width = max(*map(len, lines), len(WIDEST), digits)

    def line(name: str, cells: list[str]) -> str:
        return f"{name:>{width}} " + "".join(f" {cell:>9}" for cell in cells) + "\n"

    def numbers(name: str, values: tuple[Any, Any, Any, Any]) -> str:
        shown = [f"{value:.{digits}f}" for value in values[:3]]
        if name == "accuracy":
            shown[:2] = ["", ""]
        return line(name, [*shown, f"{values[3]}"])

    head = line("", list(HEADERS)).rstrip("\n")
    return (
        f"{head}\n\n{''.join(numbers(*item) for item in lines.items())}\n"
        f"{''.join(numbers(*item) for item in means.items())}"
    )
