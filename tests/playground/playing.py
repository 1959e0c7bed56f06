"""What tests of the playground do: move sliders, drag in figures, read numbers and marks."""

import math

from pages.browsing import settled, slide

LOGIT = {"prevalence"}  # sliders whose places are 100 times the log odds, or 100 times the decimal logarithm
LOG = {"cost_ratio"}
LEFT, ROOM, TOP, ROOM_BELOW = 44, 54, 8, 44  # around the axes of a chart, in pixels


def move(page, plain=(), **values):
    """Move sliders; return the settings that the page then has."""
    for name, value in values.items():
        if name in LOGIT and name not in plain:
            slide(page, f"#{name}", round(100 * math.log(value / (1 - value))))
        elif name in LOG:
            slide(page, f"#{name}", round(100 * math.log10(value)))
        else:
            slide(page, f"#{name}", value)
    return page.evaluate("playground.state")


def change(page, **values):
    """Change the settings without a slider."""
    page.evaluate("(next) => playground.change(next)", values)
    settled(page)


def shown(page, key, columns=1):
    texts = [page.locator(f"#{key}-{k}").text_content() for k in range(columns)]
    return texts[0] if columns == 1 else texts


def drag(page, chart, start, stop):
    """Drag in a chart from one place of its axes to another, both given as shares of them."""
    box = page.locator(f"#{chart}").bounding_box()

    def place(x, y):
        return (
            box["x"] + LEFT + x * (box["width"] - ROOM),
            box["y"] + TOP + (1 - y) * (box["height"] - ROOM_BELOW),
        )

    page.mouse.move(*place(*start))
    page.mouse.down()
    page.mouse.move(*place(*stop), steps=4)
    page.mouse.up()
    settled(page)


def mark(page, chart):
    """Return where the mark of a chart lies, as shares of its axes."""
    found = page.locator(f"#{chart} .mark").first
    _, _, width, height = map(float, page.locator(f"#{chart}").get_attribute("viewBox").split())
    x, y = (float(found.get_attribute(name)) for name in ("cx", "cy"))
    return (x - LEFT) / (width - ROOM), 1 - (y - TOP) / (height - ROOM_BELOW)
