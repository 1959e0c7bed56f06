"""How each quantity of the library is written: as a share, an area, a count, a cost."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from curvewise.document.blocks import Cell

if TYPE_CHECKING:
    from curvewise.words import Words

SHARES = frozenset(
    (
        *(
            "recall",
            "tpr",
            "specificity",
            "tnr",
            "fpr",
            "fnr",
            "precision",
            "npv",
            "fdr",
            "false_omission_rate",
        ),
        *("prevalence", "predicted_rate", "accuracy", "error", "balanced_accuracy", "equal_error_rate"),
        *("weight", "i2"),
    )
)
AREAS = frozenset(
    (
        *(
            "roc_auc",
            "average_precision",
            "average_precision_common",
            "partial_roc_auc",
            "pr_auc",
            "h_measure",
        ),
        *("hand_till", "xauc", "f1", "kappa", "mcc", "youden", "ratio"),
    )
)
COUNTS = frozenset(
    (
        "n",
        "rows",
        "positives",
        "negatives",
        "predicted",
        "tp",
        "fp",
        "fn",
        "tn",
        "sites",
        "dropped",
        "distinct",
    )
)
AMOUNTS = frozenset(("threshold", "edge"))
P_VALUES = frozenset(("p", "p_value", "p_holm", "p_equal", "q_p_value", "p_non_inferior", "p_equivalent"))
WAYS = {
    "share": SHARES,
    "points": frozenset(["points"]),
    "area": AREAS,
    "count": COUNTS,
    "amount": AMOUNTS,
    "p_value": P_VALUES,
}


def way(name: str) -> str:
    """Say how a quantity is written: the name of a method of `Numbers`."""
    return next((found for found, names in WAYS.items() if name in names), "cost")


def written(w: Words, name: str, value: Any) -> str:
    """Write a quantity."""
    return str(getattr(w.numbers, way(name))(value))


def number(w: Words, name: str, value: Any) -> Cell:
    """Return a cell with a quantity."""
    return Cell(written(w, name, value), raw=(value,), numeric=True)


def estimate(w: Words, name: str, found: dict[str, Any] | None) -> Cell:
    """Return a cell with a value and, smaller, its interval."""
    if found is None:
        return Cell(w.numbers.area(None), raw=("", "", ""), numeric=True)
    value, low, high = (found.get(k) for k in ("value", "low", "high"))
    return Cell(written(w, name, value), w.interval(low, high, way(name)), (value, low, high), numeric=True)


def estimate_head(w: Words, text: str) -> Cell:
    """Return the head of a column of estimates: three columns of a CSV file."""
    return Cell(text, raw=(text, f"{text}: {w('column.low')}", f"{text}: {w('column.high')}"), numeric=True)
