"""Every figure of the learn pages draws, in English and in Chinese."""

import importlib.util
import re
from pathlib import Path

import pytest
from matplotlib.figure import Figure

from curvewise.figures import to_svg

DOCS = Path(__file__).resolve().parents[2] / "docs"
FILES = sorted(p for p in (DOCS / "learn_figures").glob("*.py") if not p.name.startswith("_"))
CHINESE = re.compile(r"[\u4e00-\u9fff]")


def drawn(path, lang):
    spec = importlib.util.spec_from_file_location(f"learn_figures_{path.stem}", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.draw(lang)


def texts(figure):
    """Return all words of a figure, those of axes, legends and annotations."""
    return [t.get_text() for t in figure.findobj(lambda a: hasattr(a, "get_text")) if t.get_text()]


@pytest.mark.parametrize("path", FILES, ids=lambda p: p.stem)
def test_draws_in_both_languages(path):
    english, chinese = drawn(path, "en"), drawn(path, "zh")
    for figure in (english, chinese):
        assert isinstance(figure, Figure)
        assert figure.axes
        assert any(ax.has_data() or ax.texts for ax in figure.axes)
        assert "<svg" in to_svg(figure).svg
    assert not any(CHINESE.search(t) for t in texts(english))
    assert any(CHINESE.search(t) for t in texts(chinese))


@pytest.mark.parametrize("path", FILES, ids=lambda p: p.stem)
def test_belongs_to_a_page(path):
    assert (DOCS / "learn" / f"{path.stem.replace('_', '-')}.md").exists()
