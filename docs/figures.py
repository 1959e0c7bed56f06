"""Draw the figures of the Learn pages: one SVG per page and language, the same bytes at every build."""

from __future__ import annotations

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
    """Return the SVG that a file's ``draw(lang)`` gives; text stays text, in the fonts of the reader."""
    from matplotlib import pyplot as plt  # noqa: PLC0415 - drawing needs it, listing pages does not

    from curvewise.figures.export import file_bytes  # noqa: PLC0415

    figure = run_path(str(path))["draw"](lang)
    text = file_bytes(figure, Path("figure.svg")).decode()
    plt.close(figure)  # that of ``plot()`` would be kept
    return text
