"""What a careful reader should know about these data, and what was left out and why."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from curvewise.document.blocks import Block, Heading, Points, Section, Text
from curvewise.report.paper import left_out_words

if TYPE_CHECKING:
    from curvewise.report.paper import Paper
    from curvewise.words import Words


def caveats(paper: Paper) -> Section:
    """Write the caveats, warnings first."""
    w = paper.w
    found = sorted(paper.document["caveats"], key=lambda c: c["severity"] != "warn")
    blocks: list[Block] = [Points([_caveat(w, c) for c in found])] if found else [Text(w("caveats.none"))]
    left = paper.document["left_out"]
    if left:
        said = [
            Text(left_out_words(w, item), title=w.known("part", item["part"]) + w("colon")) for item in left
        ]
        blocks += [Heading(w("caveats.left_out")), Points(said)]
    return Section("caveats", w("section.caveats"), blocks)


def _caveat(w: Words, found: dict[str, Any]) -> Text:
    key = f"caveat.{found['code']}"
    values = {**(found.get("values") or {}), "model": found.get("model")}
    text = w(key, **values) if key in w else found["code"]
    way = "warn" if found["severity"] == "warn" else "note"
    return Text(text, way, title=found["model"] + w("colon") if found.get("model") else "")
