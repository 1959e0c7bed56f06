"""Figures in Chromium: read under the pointer, enlarged by a rectangle, taken away as image, drawing or data."""

import csv
import io
import xml.etree.ElementTree as ET

import numpy as np
import pytest

import curvewise as cw
from curvewise.pages.render import render_html
from pages import sample
from pages.browsing import opened, settled
from pages.sample import drawings
from pages.test_page import cuts


def spot(page, figure, k, place, frame=None):
    """Return where on the screen a threshold of a model lies in a figure of curves."""
    found, f = cuts(sample.screening(), place), frame or drawings()[figure].frames[0]
    x, y = {"roc": ("fpr", "recall"), "pr": ("recall", "precision")}[figure]
    left = f.left + f.width * (found[x][k] - f.xlim[0]) / (f.xlim[1] - f.xlim[0])
    top = f.top + f.height * (f.ylim[1] - found[y][k]) / (f.ylim[1] - f.ylim[0])
    page.locator(f"#fig-{figure}").scroll_into_view_if_needed()
    box = page.locator(f"#fig-{figure}").bounding_box()
    _, _, width, _ = map(float, page.get_attribute(f"#fig-{figure}", "viewBox").split())
    scale = box["width"] / width
    return box["x"] + scale * left, box["y"] + scale * top


@pytest.mark.parametrize("figure", ["roc", "pr"])
def test_hovering_reads_the_nearest_curve_and_clicking_takes_it(chromium, report, figure):
    with opened(chromium, report) as page:
        for place, k in ((0, 40), (1, 30), (2, 2)):
            found, name = cuts(sample.screening(), place), list(sample.screening().models)[place]
            at = spot(page, figure, k, place)
            page.mouse.move(*at)
            tip = page.locator(f"figure[data-key={figure}] .tip")
            assert tip.locator("b").inner_text() == name
            said = tip.locator("span").inner_text()
            assert f"{100 * found['recall'][k]:.1f}" in said
            assert f"{100 * found['fpr'][k]:.1f}" in said
            line = page.locator(f"#{figure}-model-{place}-line path").first
            colour = line.evaluate("(e) => getComputedStyle(e).stroke")
            assert tip.locator("b").evaluate("(e) => getComputedStyle(e).color") == colour
            dot = page.locator(f"#fig-{figure} ~ .live .spot")
            assert dot.evaluate("(e) => getComputedStyle(e).fill") == colour
            page.mouse.click(*at)
            settled(page)
            assert page.input_value("#ex-model") == str(place)
            assert page.inner_text("#ex-tp") == str(found["tp"][k])


def test_a_model_that_is_switched_off_is_not_read(chromium, report):
    with opened(chromium, report) as page:
        page.uncheck("#switches input[value='1']")
        page.mouse.move(*spot(page, "roc", 30, 1))
        assert page.locator("figure[data-key=roc] .tip b").inner_text() != "model_b"


def test_a_tip_is_never_cut_off(chromium, report):
    with opened(chromium, report) as page:
        page.set_viewport_size({"width": 390, "height": 700})
        last = len(cuts(sample.screening(), 1)["tp"]) - 1
        for k in (1, last // 2, last):
            page.mouse.move(*spot(page, "roc", k, 1))
            box = page.locator("figure[data-key=roc] .tip").bounding_box()
            assert box["x"] >= 0
            assert box["x"] + box["width"] <= 390
            assert page.evaluate("document.documentElement.scrollWidth") == 390


def test_a_rectangle_enlarges_and_a_button_goes_back(chromium, report):
    with opened(chromium, report) as page:
        low, high = spot(page, "roc", 5, 1), spot(page, "roc", 120, 1)
        page.mouse.move(*low)
        page.mouse.down()
        page.mouse.move(*high, steps=4)
        page.mouse.up()
        zoom = page.locator("figure[data-key=roc] svg.zoom")
        assert zoom.is_visible()
        assert zoom.locator("polyline").count() == 3
        labels = [float(t) for t in zoom.locator("text").all_text_contents()[:-2]]
        found = cuts(sample.screening(), 1)
        assert max(labels) <= 1
        ends = sorted((found["fpr"][5], found["fpr"][120]))
        across = [x for x in labels if ends[0] - 1e-9 <= x <= ends[1] + 1e-9]
        assert len(across) >= 2
        # a click reads the enlarged curve: the corner of the frame is where the rectangle ended
        before = page.inner_text("#ex-say")
        f = drawings()["roc"].frames[0]
        box = page.locator("#fig-roc").bounding_box()
        scale = box["width"] / float(page.get_attribute("#fig-roc", "viewBox").split()[2])
        page.mouse.click(box["x"] + scale * (f.left + f.width - 1), box["y"] + scale * (f.top + 1))
        settled(page)
        assert page.inner_text("#ex-say") != before
        assert page.input_value("#ex-model") in {"0", "1"}
        assert abs(float(page.inner_text("#ex-tp")) - found["tp"][120]) <= 8
        page.click("figure[data-key=roc] .unzoom")
        assert zoom.count() == 0
        page.mouse.move(*low)
        page.mouse.down()
        page.mouse.move(*high, steps=4)
        page.mouse.up()
        page.mouse.dblclick(*high)
        assert page.locator("figure[data-key=roc] svg.zoom").count() == 0


def test_figures_and_data_are_saved(chromium, tmp_path):
    path = tmp_path / "report.html"
    evaluation = sample.hostile(sample.HOSTILE["formula"])
    path.write_text(render_html(evaluation, drawings("en", "formula"), "en"), "utf-8")
    with opened(chromium, path.as_uri(), accept_downloads=True) as page:

        def saved(key, what):
            with page.expect_download() as waiting:
                page.locator(f"figure[data-key='{key}'] [data-do={what}]").click()
            return waiting.value.suggested_filename, waiting.value.path().read_text("utf-8-sig")

        name, text = saved("roc", "svg")
        assert name == "curvewise-roc.svg"
        root = ET.fromstring(text)
        assert root.tag == "{http://www.w3.org/2000/svg}svg"
        assert root.get("width").endswith("pt")
        assert "stroke:var(--model-0, #0072b2)" in text.replace("; ", ";")

        name, text = saved("roc", "csv")
        assert name == "curvewise-roc.csv"
        read = list(csv.reader(io.StringIO(text)))
        assert read[0][:2] == ["model", "threshold"]
        found = [cuts(evaluation, k) for k in range(3)]
        assert len(read) == 1 + sum(len(c["threshold"]) for c in found)
        assert [float(v) for v in read[2][4:]] == [found[0][name][1] for name in ("recall", "fpr", "precision")]
        assert all(row[0].startswith("'=cmd") for row in read[1:])

        _, text = saved("difference", "csv")
        read = list(csv.reader(io.StringIO(text)))
        assert read[1][0].startswith("'=cmd")
        difference = evaluation.comparison.pairs[0].difference.value
        place = read[0].index("Difference")
        assert float(read[1][place]) == difference
        assert not any(cell.startswith(("=", "@", "+")) for row in read for cell in row)


def test_images_are_drawn_and_copied(chromium, report):
    with opened(chromium, report, accept_downloads=True, color_scheme="dark") as page:
        page.context.grant_permissions(["clipboard-read", "clipboard-write"])
        with page.expect_download() as waiting:
            page.locator("figure[data-key=roc] [data-do=png]").click()
        image = waiting.value.path().read_bytes()
        assert waiting.value.suggested_filename == "curvewise-roc.png"
        assert image.startswith(b"\x89PNG")
        assert int.from_bytes(image[16:20]) >= 2 * 336  # at least twice the size on paper
        corner = """async (bytes) => {
          const image = await createImageBitmap(new Blob([new Uint8Array(bytes)], { type: "image/png" }));
          const { width, height } = image, canvas = Object.assign(document.createElement("canvas"), { width, height });
          const pen = canvas.getContext("2d");
          pen.drawImage(image, 0, 0);
          const all = pen.getImageData(0, 0, width, height).data, seen = new Set();
          for (let k = 0; k < all.length; k += 4) seen.add(`${all[k]},${all[k + 1]},${all[k + 2]}`);
          return [[...all.slice(0, 4)], seen.has("0,114,178"), seen.has("34,34,34")];
        }"""
        # white, with the light theme's colours, whatever the screen shows
        assert page.evaluate(corner, list(image)) == [[255, 255, 255, 255], True, True]
        page.locator("figure[data-key=roc] [data-do=copy]").click()
        page.locator("figure[data-key=roc] [role=status]", has_text="Copied.").wait_for()
        kinds = "navigator.clipboard.read().then((items) => items.flatMap((i) => i.types))"
        assert page.evaluate(kinds) == ["image/png"]
        page.locator("figure[data-key=roc] [data-do=copy_csv]").click()
        page.wait_for_timeout(200)
        text = page.evaluate("navigator.clipboard.readText()")
        assert text.startswith("model,threshold,")
        assert len(text.splitlines()) == 1 + sum(len(cuts(sample.screening(), k)["threshold"]) for k in range(3))


def test_names_that_look_like_numbers_stay_names_in_tables(chromium, tmp_path):
    y, s = np.tile([0, 1], 100), np.linspace(0, 1, 200)
    data = {"y": y, "1|a": s, "2 b": s**2 * (1 - y), "1|2": np.repeat(["1|a", "2 b"], 100).astype(object)}
    found = cw.evaluate(data, label="y", scores=["1|a", "2 b"], group="1|2", replicates=20)
    path = tmp_path / "report.html"
    found.report(path)
    with opened(chromium, path.as_uri()) as page:
        copied = page.evaluate(
            """() => {
                const copied = [], writeText = (text) => { copied.push(text); return Promise.resolve(); };
                Object.defineProperty(navigator, "clipboard", { value: { writeText } });
                const tables = [...document.querySelectorAll("table")];
                const across = tables.find((t) => t.tHead?.innerHTML.includes("1|a: low"));
                document.querySelector("figure[data-key=groups] table").replaceWith(across.cloneNode(true));
                document.querySelectorAll("figure.plate [data-do=copy_csv]").forEach((button) => button.click());
                return copied;
            }"""
        )
    tables = [list(csv.reader(io.StringIO(text))) for text in copied]
    assert all({len(row) for row in table} == {len(table[0])} for table in tables)
    heads = {cell for table in tables for cell in table[0]}
    assert "NaN" not in heads
    assert heads >= {"1|a", "1|a: low", "2 b: high"}, heads
