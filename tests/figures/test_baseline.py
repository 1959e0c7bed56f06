"""How figures look, beside images that a person has looked at.

After a change that is meant, run with CURVEWISE_BASELINE=write and look at the images in ``baseline/``.
"""

import io
import os
from pathlib import Path

import matplotlib as mpl
import numpy as np
import pytest
from PIL import Image

from curvewise.figures.style import own_style
from figures.cases import made

BASELINE = Path(__file__).parent / "baseline"
NAMES = ("roc", "pr", "reliability", "sites")
TOLERANCE = 3  # root mean square of 0 to 255


def image(name):
    target = io.BytesIO()
    with own_style():
        made(name).savefig(target, dpi=60, facecolor="white")
    target.seek(0)
    return target


@pytest.mark.parametrize("name", NAMES)
def test_looks_as_before(name):
    path = BASELINE / f"{name}.png"
    drawn = image(name)
    if os.environ.get("CURVEWISE_BASELINE") == "write":
        Image.open(drawn).convert("L").save(path, optimize=True, pnginfo=_info(f"matplotlib {mpl.__version__}"))
        return
    with Image.open(path) as before:
        version = before.info["Software"].split()[1].split(".")[:2]
        expected = np.asarray(before, float)
    if version != mpl.__version__.split(".")[:2]:
        pytest.skip(f"the image was made with matplotlib {'.'.join(version)}, here is {mpl.__version__}")
    found = np.asarray(Image.open(drawn).convert("L"), float)
    assert found.shape == expected.shape
    assert np.sqrt(np.mean((found - expected) ** 2)) < TOLERANCE


def _info(software):
    from PIL.PngImagePlugin import PngInfo

    info = PngInfo()
    info.add_text("Software", software)
    return info
