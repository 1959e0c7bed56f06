"""What tests read from built pages: links, anchors, loaded resources; and a search in the site's own index."""

import math
import re
from collections import Counter
from html.parser import HTMLParser

LOADED = {"script": "src", "img": "src", "iframe": "src", "source": "src", "video": "src", "audio": "src"}
STYLES = {"stylesheet", "icon", "preload", "preconnect", "dns-prefetch", "modulepreload"}


class Page(HTMLParser):
    """The links of a page, its anchors, and what a browser loads with it."""

    def __init__(self):
        super().__init__()
        self.links, self.anchors, self.loaded, self.article = [], set(), [], []
        self._inside = False

    @classmethod
    def read(cls, path):
        page = cls()
        page.feed(path.read_text("utf-8"))
        return page

    def handle_starttag(self, tag, attrs):
        given = dict(attrs)
        self._inside |= tag == "article"
        self.anchors |= {given[k] for k in ("id", "name") if given.get(k)}
        if tag == "a" and given.get("href"):
            self.links.append(given["href"])
            if self._inside:
                self.article.append(given["href"])
        if given.get(LOADED.get(tag)):
            self.loaded.append(given[LOADED[tag]])
        if tag == "link" and STYLES & set((given.get("rel") or "").split()):
            self.loaded.append(given["href"])

    def handle_endtag(self, tag):
        if tag == "article":
            self._inside = False


def search(index, query, lang="en"):
    """Return the addresses of pages, the best first: words in titles count more than in the text, rare ones more."""
    separator = re.compile(index["config"]["separator"])

    def words(text):
        plain = re.sub("<[^>]+>", " ", text).lower()
        return Counter(w.rstrip("?").removesuffix("s") for w in separator.split(plain) if w)

    entries = [d for d in index["docs"] if d["location"].startswith("zh/") == (lang == "zh")]
    counted = [(d["location"].split("#")[0], words(d["title"]), words(d["text"])) for d in entries]
    scores = Counter()
    for word in words(query):
        holding = [c for c in counted if word in c[1] or word in c[2]]
        rarity = math.log(1 + len(counted) / (1 + len(holding)))
        best = Counter()
        for place, title, text in holding:
            worth = rarity * (5 * bool(title[word]) + text[word] / (text[word] + 1 + text.total() / 200))
            best[place] = max(best[place], worth)
        scores.update(best)
    return [place for place, _ in scores.most_common()]
