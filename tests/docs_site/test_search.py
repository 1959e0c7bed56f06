"""The search of the site, in a real browser: who asks a question finds the page among the first five."""

import functools
import threading
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

import pytest

from docs_site.test_site import WALK

pytestmark = pytest.mark.xdist_group("docs_site")
CHINESE = {
    "部分曲线下面积": "zh/learn/partial-area/",
    "选择阈值": "zh/learn/choosing-a-threshold/",
    "概率校准": "zh/learn/probabilities/",
    "置信区间": "zh/learn/uncertainty/",
    "公平": "zh/learn/groups/",
    "交叉验证": "zh/learn/cross-validation/",
    "删失": "zh/learn/survival/",
}
FOUND = ".md-search-result__item > a"


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


@pytest.fixture(scope="module")
def address(site):
    server = ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=str(site)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()
    server.server_close()


@pytest.mark.parametrize("question", [*WALK, *CHINESE])
def test_a_question_leads_to_its_page(chromium, address, question):
    wanted = {**WALK, **CHINESE}[question]
    page = chromium.new_page()
    page.goto(f"{address}{'zh/' if question in CHINESE else ''}")
    page.fill("input[name=query]", question)
    page.wait_for_selector(FOUND, state="attached", timeout=60_000)
    found = page.eval_on_selector_all(FOUND, "links => links.map(a => new URL(a.href).pathname.slice(1))")
    page.close()
    assert wanted in list(dict.fromkeys(found))[:5]
