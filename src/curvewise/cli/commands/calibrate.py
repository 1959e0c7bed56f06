"""``curvewise calibrate``: check calibration, fit a recalibration map."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from curvewise.cli.options import READING_SCAN, RESAMPLING, SHARE, option, scores_command

if TYPE_CHECKING:
    from curvewise.cli.file_rows import ScoreFile
    from curvewise.cli.options import Answer
    from curvewise.rows.rows import Rows


@scores_command(
    "calibrate",
    option("--bins", "Number of bins of ECE and MCE.", click.IntRange(1), default=10),
    option("--binning", "Equal-width or equal-count bins.", ("width", "count")),
    *RESAMPLING,
    option(
        "--method NAME",
        "Also fit a recalibration map: isotonic, platt, beta, temperature or prior.",
    ),
    option("--prevalence P", "Expected share of positives, for --method prior.", SHARE),
    option("--save FILE", "Write the map to a file, for curvewise recalibrate."),
    reading=READING_SCAN,
)
def command(data: ScoreFile, method: Any, prevalence: float | None, save: str | None, rng: int, **rest: Any) -> Answer:
    """Check whether the probabilities in FILE are calibrated, and recalibrate them.

    --score names a column of probabilities of the positive class. --method fits a recalibration map and
    evaluates it on rows that it was not fitted on.

    \b
    curvewise calibrate scores.csv --label ill --score model_a
    curvewise calibrate scores.csv --label ill --score model_a --method beta --save map.json
    """  # noqa: D301 - click wants the backspace itself
    context = click.get_current_context()
    if save is not None and (method is None or len(data.scores) > 1):
        raise click.UsageError("--save: needs --method, and one --score.")
    if (method == "prior") != (prevalence is not None):
        raise click.UsageError("--prevalence: goes with --method prior, and that with it.")
    output = context.params["output"]
    if save is not None and output is not None and Path(save).resolve() == Path(output).resolve():
        raise click.UsageError("--save: the map and the answer need a file each.")
    from curvewise.core.sweep import sweep_of  # noqa: PLC0415 - --help needs no NumPy
    from curvewise.probabilities.calibration import calibration  # noqa: PLC0415
    from curvewise.probabilities.recalibrate import recalibrate  # noqa: PLC0415
    from curvewise.results.writing import output_path, write_atomically  # noqa: PLC0415 - --help needs no NumPy

    force = context.params["force"]
    path = output_path(save, data.file, force=force)

    def of_score(rows: Rows) -> dict[str, Any]:
        sweep_of(rows).need_both_classes("Calibration")
        found: dict[str, Any] = {"calibration": calibration(rows, rng=rng, **rest)}
        if method is not None:
            fitted = recalibrate(rows, method=method, prevalence=prevalence, rng=rng)
            found["recalibration"] = replace(fitted, score=rows.models[0])
        return found

    answer = data.each(of_score)
    if path is not None:
        write_atomically(path, answer[data.scores[0]]["recalibration"].to_json().encode(), force=force)
    return dict(answer)
