"""Draw the figures of the Learn pages: one SVG per page and language, the same bytes at every build."""

from __future__ import annotations

import io
from pathlib import Path
from runpy import run_path

DRAWINGS = Path(__file__).parent / "learn_figures"
LANGUAGES = ("en", "zh")


def draw_all() -> dict[str, str]:
    """Return the text of every SVG by its file name, such as ``ranking.svg`` and ``ranking.zh.svg``."""
    found = {}
    for path in sorted(DRAWINGS.glob("[!_]*.py")):
        for lang in LANGUAGES:
            ending = "" if lang == "en" else f".{lang}"
            found[f"{path.stem.replace('_', '-')}{ending}.svg"] = draw(path, lang)
    return found


def draw(path: Path, lang: str) -> str:
    """Return the SVG that a file's ``draw(lang)`` gives, without a date and with ids that do not change."""
    import matplotlib as mpl  # noqa: PLC0415 - drawing needs it, listing pages does not
    from matplotlib import pyplot as plt  # noqa: PLC0415

    mpl.use("Agg")
    out = io.StringIO()
    # text stays text: the reader's browser has the Chinese font that the machine of the build may lack
    with mpl.rc_context({"svg.hashsalt": path.stem, "svg.fonttype": "none"}):
        figure = run_path(str(path))["draw"](lang)
        figure.savefig(out, format="svg", metadata={"Date": None}, bbox_inches="tight")
        plt.close(figure)
    return out.getvalue()
