"""Read a file, and draw one figure of its scores."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from curvewise import figures
from curvewise.cli.job import Request, heed_interrupts, score_rows
from curvewise.cli.words import positive_label, words_of_the_file
from curvewise.core.sweep import sweep_of
from curvewise.curves.cost import cost_curve
from curvewise.curves.decision import decision_curve
from curvewise.curves.det import det_curve
from curvewise.curves.hull import roc_hull
from curvewise.curves.lift import lift_curve
from curvewise.curves.pr import pr_curve
from curvewise.curves.pr_gain import pr_gain_curve
from curvewise.curves.roc import roc_curve
from curvewise.probabilities.reliability import reliability
from curvewise.sources.files import read_file

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from curvewise.core.sweep import Sweep

# what is computed of each score, and how all of them are drawn
CURVES: dict[str, tuple[Callable[[Sweep], Any], Callable[..., Axes]]] = {
    "roc": (roc_curve, figures.draw_roc),
    "pr": (pr_curve, figures.draw_pr),
    "pr-gain": (pr_gain_curve, figures.draw_pr_gain),
    "det": (det_curve, figures.draw_det),
    "gain": (lift_curve, figures.draw_gain),
    "lift": (lift_curve, figures.draw_lift),
    "cost": (cost_curve, figures.draw_cost),
    "decision": (decision_curve, figures.draw_decision),
    "reliability": (reliability, figures.draw_reliability),
    "hull": (roc_hull, figures.draw_hull),
}


def plotted(
    file: str,
    label: str,
    scores: tuple[str, ...],
    figure: str,
    threshold: float | None,
    **reading: Any,
) -> tuple[Figure, list[str]]:
    """Return the figure, and notes on how the file was read."""
    heed_interrupts()
    request = Request(file, label, scores, {}, **reading)
    data = read_file(file, label=label, numeric=[*scores, *([request.weight] if request.weight else [])])
    rows = score_rows(data, request, positive_label(data.frame[label], request.positive))
    sweeps = {name: sweep_of(r) for name, r in rows.items()}
    canvas = figures.figure()
    axes = canvas.add_subplot()
    if figure in CURVES:
        _curves(figure, sweeps, threshold, axes, data.first_line)
    else:
        _alone(figure, next(iter(sweeps.values())), threshold, axes)
    return canvas, data.notes


def _curves(
    figure: str,
    sweeps: Mapping[str, Sweep],
    threshold: float | None,
    axes: Axes,
    first_line: int | None,
) -> None:
    compute, draw = CURVES[figure]
    found = {}
    for name, sweep in sweeps.items():
        with words_of_the_file({"score": name, "p": name}, first_line):
            found[name] = compute(sweep)
    more: dict[str, Any] = {"histogram": sweeps} if figure == "reliability" else {}
    if threshold is not None:
        more["point"] = {name: sweep.at(threshold) for name, sweep in sweeps.items()}
    draw(found, ax=axes, **more)


def _alone(figure: str, sweep: Sweep, threshold: float | None, axes: Axes) -> None:
    if figure == "confusion":
        assert threshold is not None  # noqa: S101 - the command asks for it
        figures.draw_confusion(sweep.at(threshold), ax=axes)
    elif figure == "distribution":
        figures.draw_distribution(sweep, threshold=threshold, ax=axes)
    else:
        figures.draw_thresholds(sweep, threshold=threshold, ax=axes)
