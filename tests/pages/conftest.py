"""The sample page, written once."""

import pytest

from curvewise.pages.render import render_html
from pages import sample


@pytest.fixture(scope="session")
def report(tmp_path_factory):
    """Return the address of the sample page."""
    path = tmp_path_factory.mktemp("page") / "report.html"
    path.write_text(render_html(sample.screening(), sample.drawings(), "en"), "utf-8")
    return path.as_uri()
