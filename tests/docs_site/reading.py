"""What tests read from built pages: links, anchors, loaded resources."""

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
