"""``curvewise demo``: the report of data that come with the package, and those data to try every command on."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

import click

from curvewise.cli.file_rows import ScoreFile
from curvewise.cli.options import FORCE, format_for, make_command, option
from curvewise.cli.output import is_plain, mention, say, screen, steps
from curvewise.words import LANGS, Lang, words

TRAFFIC = tuple(f"traffic_{name}.json" for name in ("truth", "detector_a", "detector_b"))
DATA = ("screening.csv", "breast_cancer.csv", "trial.csv", *TRAFFIC)
PAGE = "curvewise-demo.html"
SCORES = ("model_a", "model_b", "rating")
NEXT = "curvewise report screening.csv --label disease --score model_a --score model_b --group sex --fp 1 --fn 10"


@make_command(
    "demo",
    option("--lang", "Language of the page and of the summary; zh-general is for data that are not medical.", LANGS),
    option("-o --output FILE", f"File for the page; default: {PAGE}, which is kept if it exists.", click.Path()),
    FORCE,
)
def command(lang: Lang, output: str | None, *, force: bool) -> None:
    """Evaluate simulated data that come with the package: a summary here, the page in a file.

    The data, screening.csv and trial.csv (no row is a real person), breast_cancer.csv and traffic_*.json (simulated
    detections), are left in the current folder, so that every command of the documentation can be tried on them.
    """
    format_for(None, output, ("html",), "html")
    from curvewise.cli.evaluation import evaluated, rendered, summary  # noqa: PLC0415 - --help needs no NumPy
    from curvewise.core.resampling import REPLICATES  # noqa: PLC0415
    from curvewise.results.writing import output_path, write_atomically  # noqa: PLC0415

    kept = output is None and not force and Path(PAGE).exists()
    page = output_path(output or PAGE, DATA[0], force=force or kept)
    mine = [name for name in DATA if not _leave(name, force=force)]
    path = str(files("curvewise.data") / DATA[0]) if DATA[0] in mine else DATA[0]
    data = ScoreFile(path, "disease", SCORES, groups=("sex",), site="site")
    with steps() as step:
        found = evaluated(data, step, "curvewise demo", seed=0, replicates=REPLICATES)
        if page is not None and not kept:
            write_atomically(page, rendered(found, "html", lang, step).encode(), force=force)
    mention(summary(found, output or PAGE, screen(lang), plain=is_plain(), brief=True))
    if kept:
        say(f"Note: {PAGE} is of an earlier run, and was kept; curvewise demo --force makes it again.")
    for name in mine:
        say(f"Note: {name} here is another file than the one of the demo, and was kept; --force replaces it.")
    if DATA[0] not in mine:
        mention(words(lang)("terminal.demo", data=DATA[0], command=NEXT) + "\n")


def _leave(name: str, *, force: bool) -> bool:
    """Put a file that comes with the package into the current folder; say whether it is there."""
    from curvewise.results.writing import output_path, write_atomically  # noqa: PLC0415

    content = (files("curvewise.data") / name).read_bytes()
    there = Path(name)
    if there.is_file() and there.read_bytes() == content:
        return True
    if there.exists() and not force:
        return False
    path = output_path(name, "", force=force)
    if path is not None:
        write_atomically(path, content, force=force)
    return True
