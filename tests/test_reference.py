"""The reference page of metrics is written from the registry."""

import importlib.util
from pathlib import Path

import pytest

from curvewise.metric.registry import every

DOCS = Path(__file__).resolve().parents[1] / "docs"


@pytest.fixture(scope="module")
def maker():
    spec = importlib.util.spec_from_file_location("make_reference", DOCS / "make_reference.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_page_lists_every_metric(maker):
    found = maker.sections(maker.page())
    assert list(found) == [m.name for m in every()]
    for m in every():
        text = found[m.name]
        assert m.label() in text
        assert m.meaning() in text
        assert all(f"`{alias}`" in text for alias in m.aliases)
        assert all(f"`{option}" in text for option in m.options)
        assert m.reference in text
        assert f"`{m.formula}`" in text
        assert m.pitfall() in text


def test_the_page_in_the_docs_is_up_to_date_for_the_metrics_that_it_names(maker):
    shipped = maker.sections((DOCS / "reference" / "metrics.md").read_text(encoding="utf-8"))
    made = maker.sections(maker.page())
    assert shipped
    assert {name: text for name, text in shipped.items() if text != made.get(name)} == {}
