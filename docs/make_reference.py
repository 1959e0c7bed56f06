"""Write docs/reference/metrics.md from the registry: every metric with all that is known of it."""

from __future__ import annotations

import math
import re
from pathlib import Path
from typing import TYPE_CHECKING

from curvewise.metric.registry import every

if TYPE_CHECKING:
    from curvewise.metric.registry import Metric

PAGE = Path(__file__).parent / "reference" / "metrics.md"
HEAD = """# Metrics

Written by `make docs` from the list that `cw.metrics()` shows. Every verb that takes a metric takes any of
these names and aliases, whatever the case of their letters:

```python
>>> import curvewise as cw
>>> y, p = [0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]
>>> cw.score("auc", y, p), cw.score("F1", y, p, threshold=0.35)
(0.75, 0.8)

```

`cw.score` gives the number, `cw.interval` the number with its interval, `cw.compare` the differences of
models. Below, `x` stands for the value. In formulas, P and N are the numbers of positives and negatives,
n of all rows, and π is the prevalence; at threshold k, p_k positives and n_k negatives tie, and TP_k and FP_k
have a score at or above it.
"""
FAMILIES = {
    "ranking": ("Ranking", "Only the order of the scores matters."),
    "probability": ("Probabilities", "Scores must be probabilities of the positive class."),
    "likelihood": (
        "Log likelihood ratios",
        "Scores must be natural logarithms of likelihood ratios, as in speaker verification and forensic science.",
    ),
    "threshold": (
        "At a threshold",
        "Rows with a score at or above `threshold=` are flagged. A rate that is 0/0 there is undefined.",
    ),
}
INTERVALS = {
    "delong": "score interval with DeLong's variance (`delong`)",
    "score": "score interval with the variance of what each row adds (`score`)",
    "beta": "Beta distributions of the threshold's place and of the share (`beta`)",
    "wilson": "Wilson's, with as many rows as clustered or weighted ones are worth (`wilson`)",
    "jeffreys": "Jeffreys' posterior of the four counts (`jeffreys`)",
    "log": "t, on the log scale (`log`)",
    "log-complement": "t, on the log scale of 1 minus the value (`log-complement`)",
    "wald": "t, leaving out each row (`wald`)",
    "percentile": "bootstrap, percentile (`percentile`)",
    "none": "none, since no method is known to be reliable",
}


def page() -> str:
    """Return the whole page."""
    parts = [HEAD]
    for family, (title, lead) in FAMILIES.items():
        parts.append(f"## {title}\n\n{lead}\n")
        parts += [section(m) for m in every() if m.family == family]
    return "\n".join(parts)


def section(m: Metric) -> str:
    """Return what is said of one metric."""
    facts = [
        _direction(m),
        _range(m),
        _chance(m),
        "depends on prevalence" if m.prevalence else "does not depend on prevalence",
    ]
    options = ", ".join(
        f"`{name}` (must be given)" if default is ... else f"`{name}={default!r}`"
        for name, default in m.options.items()
    )
    lines = [
        f"### `{m.name}`",
        "",
        f"{m.label()}: {m.meaning()}.",
        "",
        *([f"- also called {', '.join(f'`{a}`' for a in m.aliases)}"] if m.aliases else []),
        f"- {'; '.join(filter(None, facts))}",
        f"- formula: `{m.formula}`",
        *([f"- options: {options}"] if options else []),
        f"- interval: {_interval(m)}",
        f"- pitfall: {m.pitfall()}",
        *([f"- read on: {m.reference}"] if m.reference else []),
    ]
    return "\n".join(lines) + "\n"


def _interval(m: Metric) -> str:
    said = INTERVALS.get(m.interval, m.interval)
    if m.why_none == "no_interval_biased":
        return "none: it is biased upward, and a resample is biased again; see `calibration` for its expected value"
    return said if m.smooth or m.interval != "score" else "score interval with the variance of resamples (`score`)"


def sections(text: str) -> dict[str, str]:
    """Return the sections of a page by the name of their metric."""
    found = re.split(r"^(?=##)", text, flags=re.MULTILINE)
    named = (re.match(r"### `([\w.]+)`", part) for part in found)
    return {match[1]: part.strip() for match, part in zip(named, found, strict=True) if match}


def _direction(m: Metric) -> str:
    if m.target is not None:
        return f"best near {m.target:g}"
    return {"higher": "higher is better", "lower": "lower is better"}.get(m.better, "neither high nor low is better")


def _range(m: Metric) -> str:
    if math.isfinite(m.low) and math.isfinite(m.high):
        return f"between {m.low:g} and {m.high:g}"
    if math.isfinite(m.low):
        return f"{m.low:g} or more"
    return f"{m.high:g} or less" if math.isfinite(m.high) else "any number"


def _chance(m: Metric) -> str:
    if m.chance is None:
        return ""
    return "chance is the prevalence" if m.chance == "prevalence" else f"chance is {m.chance:g}"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
