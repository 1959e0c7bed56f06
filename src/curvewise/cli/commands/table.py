"""``curvewise table``: the table of diagnostic accuracy that a paper shows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from curvewise.cli.file_rows import ScoreFile
from curvewise.cli.options import READING, RESAMPLING, flag, format_for, make_command, number, option, output_options
from curvewise.cli.output import emit, mention, say
from curvewise.cli.rule_options import make_rule, rule_options, take_rule
from curvewise.errors import CurvewiseError
from curvewise.results.text import visible
from curvewise.words import LANGS

if TYPE_CHECKING:
    from curvewise.pages.paper_table import DiagnosticTable

FORMATS = ("table", "md", "tex", "docx", "csv", "json")
OF_NUMBERS = ("csv", "json")  # that have no words


@make_command(
    "table",
    *READING,
    option(
        "--threshold X",
        "The threshold, fixed beforehand; once for all scores, or one per score in their order.",
        number,
        into="thresholds",
        multiple=True,
    ),
    *rule_options(required=False),
    flag("--reclassification", "Add NRI and IDI of two scores that are probabilities."),
    *RESAMPLING,
    option("--lang", "Language of the table; zh-general is for data that are not medical.", LANGS),
    *output_options(
        FORMATS,
        "Output format; default: from the file name of -o, otherwise table.",
        "Write to a file (.md, .tex, .docx, .csv, .json) instead of the terminal.",
    ),
)
def command(form: str | None, output: str | None, lang: Any, *, force: bool, **given: Any) -> None:
    """Sensitivity, specificity, predictive values and likelihood ratios of the scores in FILE, as papers show them.

    The threshold was fixed beforehand (--threshold) or is chosen on these data by a rule (--rule, or --fp and
    --fn): rates are then corrected for the choice, and a note below the table says so. One column per score,
    and the p-value of its AUC against the first.

    \b
    curvewise table scores.csv --label ill --score a --score b --threshold 0.5 -o table2.docx
    curvewise table scores.csv --label ill --score a --score b --rule min-recall --at 0.95 -o table2.tex
    curvewise table scores.csv --label ill --score old --score new --threshold 0.2 --reclassification --prevalence 0.02
    """  # noqa: D301 - click wants the backspace itself
    data = ScoreFile.named_in(given)
    chosen = format_for(form, output, FORMATS)
    if lang != "en" and chosen in OF_NUMBERS:
        raise click.UsageError(f"--lang: {chosen} has numbers only, and no words to translate.")
    if chosen == "docx" and output in (None, "-"):
        raise click.UsageError("--format docx: give -o; a terminal cannot show it.")
    if given["reclassification"] and len(data.scores) != 2:
        raise click.UsageError("--reclassification: needs two --score, the old model first.")
    given |= _cut(data, given)
    from curvewise.results.writing import output_path, write_atomically  # noqa: PLC0415 - checks first

    path = output_path(output, data.file, force=force)
    from curvewise.pages.paper_layout import document_of  # noqa: PLC0415 - --help needs no NumPy
    from curvewise.pages.paper_table import diagnostic_table  # noqa: PLC0415
    from curvewise.words import words  # noqa: PLC0415

    try:
        found = diagnostic_table(data.rows, rng=given.pop("seed"), **given)
        document = document_of(found, words(lang), _heading(data, given, found), tuple(map(str, data.data.notes)))
    except CurvewiseError as error:
        raise data.translated(error) from None
    if chosen == "docx" and path is not None:
        from curvewise.document.docx import docx_bytes  # noqa: PLC0415

        for line in document.reading:
            say(f"Note: {line}.")
        write_atomically(path, docx_bytes(document, lang), force=force)
    else:
        emit(document, chosen, path, force=force)
    if path is not None:
        mention(f"Table: {visible(str(path))}\n")


def _cut(data: ScoreFile, given: dict[str, Any]) -> dict[str, Any]:
    """Take the threshold or the rule out of the options given; exactly one of them must be there."""
    thresholds = given.pop("thresholds")
    name, asked = take_rule(given, data)
    if bool(thresholds) == (name is not None):
        raise click.UsageError("Give --threshold, or a --rule that chooses it (or --fp and --fn): one of them.")
    if name is not None:
        return {"rule": make_rule(name, asked, given["prevalence"], data)}
    if len(thresholds) not in (1, len(data.scores)):
        raise click.UsageError(f"--threshold: expected one, or one for each of {len(data.scores)} scores.")
    several = len(thresholds) > 1
    return {"threshold": dict(zip(data.scores, thresholds, strict=True)) if several else thresholds[0]}


def _heading(data: ScoreFile, given: dict[str, Any], found: DiagnosticTable) -> dict[str, Any]:
    from curvewise.document.json_text import heading  # noqa: PLC0415 - --help needs no more

    asked = {"label": data.label, "scores": list(data.scores), **given, "rule": found.rule}
    return heading("table", data.source, asked)
