"""What tests of the page do in Chromium: open it and hear every complaint, move a slider, read a number."""

from contextlib import contextmanager
from types import SimpleNamespace

from curvewise.words import Words

EN = Words("en")


@contextmanager
def opened(chromium, address, **options):
    """Open a page; fail on any message, error, request or breach of its policy."""
    context = chromium.new_context(**{"viewport": {"width": 1300, "height": 900}, **options})
    page = context.new_page()
    heard = SimpleNamespace(said=[], asked=[])
    page.on("console", lambda m: heard.said.append(m.text))
    page.on("pageerror", lambda e: heard.said.append(str(e)))
    page.on("dialog", lambda d: heard.said.append(d.message))
    page.on("request", lambda r: heard.asked.append(r.url))
    page.add_init_script(
        "window.breaches = [];addEventListener('securitypolicyviolation', (e) => breaches.push(e.violatedDirective))"
    )
    page.goto(address)
    page.set_default_timeout(30_000)
    yield page
    if options.get("java_script_enabled", True):
        assert page.evaluate("window.breaches") == []
    assert heard.said == []
    own = [url for url in heard.asked if not url.startswith(("data:", "blob:"))]
    assert {url.split("#")[0] for url in own} == {address.split("#")[0]}
    context.close()


def settled(page):
    page.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")


def shown(page, key, **values):
    """Return the number that the page shows beside a name."""
    row = page.locator("#ex tr:visible", has=page.get_by_role("rowheader", name=EN(f"js.{key}", **values), exact=True))
    return row.locator("td > span").inner_text()


def slide(page, name, value):
    page.locator(name).evaluate("(e, v) => { e.value = v; e.dispatchEvent(new Event('input')) }", value)
    settled(page)
