"""Names that do harm elsewhere, in every place of every page where a name can stand, in Chromium."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

import curvewise as cw
from curvewise.pages.render import render_page
from pages import survival_sample
from pages.browsing import opened, settled

MARKUP = "</script><script>alert(1)</script><img src=x onerror=alert(1)>\"' style=x onload=alert(1) <!--"
SIGNS = "a\u2028b\u2029\u202egnp.exe\u2066 $\\frac{1}{2$ {{7*7}} ${7*7} {% raw %} \\u0000 &lt;b&gt; %s {0}"
NAMES = {"signs": f"{MARKUP} {SIGNS}", "long": "long_name_" * 9_000 + "名" * 10_000}
ROWS = 240


@cache
def columns():
    """Return outcomes and numbers of made-up rows."""
    rng = np.random.default_rng(3)
    y = rng.integers(0, 2, ROWS)
    p = 1 / (1 + np.exp(-(y + rng.normal(size=ROWS))))
    return y, p, 1 / (1 + np.exp(-(0.5 * y + rng.normal(size=ROWS)))), rng


def two_classes(text):
    y, a, b, _ = columns()
    data = {
        f"{text} a": a,
        f"{text} b": b,
        f"{text} y": np.where(y == 1, f"{text} +", f"{text} -").astype(object),
        f"{text} g": np.array([f"{text} g{k % 2}" for k in range(ROWS)], object),
        f"{text} s": np.array([f"{text} s{k // 80}" for k in range(ROWS)], object),
        f"{text} c": np.array([f"{text} c{k // 2}" for k in range(ROWS)], object),
        f"{text} id": np.array([f"{text} {k}" for k in range(ROWS)], object),
    }
    roles = {role: f"{text} {role[0]}" for role in ("group", "site", "cluster")}
    found = cw.evaluate(
        data,
        label=f"{text} y",
        scores=[f"{text} a", f"{text} b"],
        positive=f"{text} +",
        id=f"{text} id",
        replicates=4,
        **roles,
    )
    return render_page(_of_a_file(found, text), "en", title=text, author=text)


def many_classes(text):
    *_, rng = columns()
    names = [f"{text} {k}" for k in range(3)]
    proba = rng.dirichlet([1, 1, 1], ROWS)
    data = {
        f"{text} y": rng.choice(np.array(names, object), ROWS),
        **{name: proba[:, k] for k, name in enumerate(names)},
    }
    found = cw.evaluate(data, label=f"{text} y", scores=names, replicates=4)
    return render_page(_of_a_file(found, text), "zh", title=text, author=text)


def over_time(text):
    trial = survival_sample.trial()
    data = {f"{text} {name}": column for name, column in trial.items()}
    for name in ("sex", "clinic"):
        data[f"{text} {name}"] = np.array([f"{text} {value}" for value in trial[name]], object)
    found = cw.evaluate(
        data,
        time=f"{text} days",
        event=f"{text} dead",
        horizons=survival_sample.HORIZONS,
        scores=[f"{text} risk_a", f"{text} risk_b"],
        group=f"{text} sex",
        site=f"{text} clinic",
        id=f"{text} code",
        replicates=4,
    )
    return render_page(_of_a_file(found, text), "en", title=text, author=text)


def detection(text):
    boxes = [[0, 0, 9, 9], [5, 5, 9, 9], [20, 20, 9, 9]]
    truth = {"image": [f"{text}1", f"{text}2", f"{text}2"], "class": [f"{text}c", f"{text}d", f"{text}c"], "box": boxes}
    found = {**truth, "class": [f"{text}c", f"{text}c", f"{text}d"], "score": [0.9, 0.4, 0.3]}
    evaluation = cw.detection.evaluate(truth, {f"{text}a": found, f"{text}b": found}, replicates=4)
    return render_page(evaluation, title=text, author=text)


def _of_a_file(found, text):
    origin = replace(found.origin, name=f"{text}.csv", path=f"/{text}.csv", sha256="0" * 64)
    return replace(found, origin=origin, command=f"curvewise report {text}")


PAGES = {"two classes": two_classes, "many classes": many_classes, "over time": over_time, "detection": detection}


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("page", PAGES)
def test_names_are_shown_and_do_nothing(chromium, tmp_path, page, name):
    path = tmp_path / "report.html"
    path.write_text(PAGES[page](NAMES[name]), "utf-8")
    with opened(chromium, path.as_uri()) as window:
        for width in (1300, 390):
            window.set_viewport_size({"width": width, "height": 800})
            window.evaluate("document.querySelectorAll('details').forEach((d) => { d.open = true })")
            settled(window)
            assert window.evaluate("document.documentElement.scrollWidth") == width
        assert window.locator("img").count() == 0
        assert window.evaluate("document.querySelectorAll('[onload], [onerror], [style=x]').length") == 0
        assert ("{{7*7}} ${7*7}" in window.inner_text("body")) is (name == "signs")
