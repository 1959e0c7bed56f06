"""What the report is about: rows, classes, scores, groups, and the file they came from."""

from __future__ import annotations

from typing import TYPE_CHECKING

from curvewise.document.blocks import Block, Cell, Facts, Fold, Grid, Section
from curvewise.report.measures import number

if TYPE_CHECKING:
    from curvewise.report.paper import Paper


def data(paper: Paper) -> Section:
    """Write the section of the data."""
    blocks: list[Block] = [_facts(paper)]
    if paper.models:
        blocks.append(_scores(paper))
    for kind in ("groups", "sites"):
        sizes = _sizes(paper, kind)
        if sizes is not None:
            blocks.append(Fold(sizes.caption, [sizes]))
    return Section("data", paper.w("section.data"), blocks)


def _facts(paper: Paper) -> Facts:
    w, found, made = paper.w, paper.document["data"], paper.document["made"]
    options = paper.document["options"]
    write = w.numbers
    rows = [("rows", write.count(found["rows"]), False)]
    if found.get("positives") is not None:
        positives = w("data.of_rows", count=found["positives"], share=found["prevalence"])
        rows += [("positives", positives, False), ("negatives", write.count(found["negatives"]), False)]
    weights = w("data.weighted", column=options["weight"]) if found.get("weighted") else w("no")
    rows += [("dropped", write.count(found["dropped"]), False), ("weights", weights, False)]
    if found.get("clusters") is not None:
        said = w("data.clustered", column=options["cluster"], count=found["clusters"])
        rows.append(("clusters", said, False))
    named = [name for name in ("label", "positive") if options.get(name) is not None]
    rows += [(name, str(options[name]), False) for name in named]
    if options.get("prevalence") is not None:
        rows.append(("stated_prevalence", write.share(options["prevalence"]), False))
    if made["source"] is not None:
        rows.append(("source", made["source"], False))
    if made["sha256"] is not None:
        rows.append(("sha256", made["sha256"], True))
    return Facts([(w(f"data.{name}"), value, code) for name, value, code in rows])


def _scores(paper: Paper) -> Grid:
    w, n = paper.w, paper.document["data"]["rows"]
    head = [Cell(w("column.model"))]
    head += [Cell(w(f"column.{k}"), numeric=True) for k in ("lowest", "highest", "distinct", "tied")]
    head.append(Cell(w("column.probability_scale")))
    rows = []
    for m in paper.models:
        tied = (n - m["distinct"]) / n if n else None
        why = m["why_not_probability"] or ""
        rows.append(
            [
                Cell(m["name"]),
                *(number(w, "edge", m[k]) for k in ("lowest", "highest")),
                number(w, "distinct", m["distinct"]),
                number(w, "prevalence", tied),
                Cell(w("yes") if m["probability"] else w("no"), w.known("why", why)),
            ]
        )
    return Grid(w("data.scores"), head, rows, list(range(len(rows))))


def _sizes(paper: Paper, kind: str) -> Grid | None:
    w, found = paper.w, paper.document["data"].get(kind)
    if not found:
        return None
    rows = []
    if kind == "groups":
        for column, sizes in found.items():
            rows += [[Cell(column), Cell(name), number(w, "n", n)] for name, n in sizes.items()]
        head = [Cell(w("column.column")), Cell(w("column.group")), Cell(w("column.n"), numeric=True)]
        return Grid(w("data.groups"), head, rows, heads=2)
    rows = [[Cell(name), number(w, "n", n)] for name, n in found.items()]
    return Grid(w("data.sites"), [Cell(w("column.site")), Cell(w("column.n"), numeric=True)], rows)
