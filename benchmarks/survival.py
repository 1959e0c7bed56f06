"""Time concordance beside lifelines and scikit-survival, and judging models over time at one and at ten horizons.

Run ``python benchmarks/survival.py``; README.md beside this file says how to read the tables.
"""

from __future__ import annotations

import argparse
import sys
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from _report import digits, environment, load_average, markdown_table, seconds, text_table, write_csv
from _timing import once

import curvewise as cw

if TYPE_CHECKING:
    from collections.abc import Callable

    Outcomes = tuple[np.ndarray, np.ndarray, np.ndarray]

RESULTS = Path(__file__).parent / "results"
SIZES = {"full": (10_000, 100_000, 1_000_000), "quick": (10_000,)}
PEERS = {"lifelines": "lifelines", "scikit-survival": "sksurv"}
QUADRATIC = 10_000  # scikit-survival compares every event with every row: larger sizes would take hours
TIMES = {"distinct": None, "whole days": 0}
TOLERANCE = 1e-12
HORIZONS = 10


def outcomes(rows: int, decimals: int | None, seed: int = 5) -> Outcomes:
    """Draw times, events and risk scores; about half of the rows are censored."""
    rng = np.random.default_rng(seed)
    risk = rng.standard_normal(rows)
    event, censored = rng.exponential(1000 * np.exp(-risk)), rng.exponential(1000, rows)
    time = np.minimum(event, censored)
    return (time if decimals is None else np.ceil(time)), event <= censored, risk


def ask_curvewise(time: np.ndarray, event: np.ndarray, risk: np.ndarray) -> float:
    return cw.concordance(time, event, risk).value


def ask_lifelines(time: np.ndarray, event: np.ndarray, risk: np.ndarray) -> float:
    from lifelines.utils import concordance_index

    return float(concordance_index(time, -risk, event))


def ask_scikit_survival(time: np.ndarray, event: np.ndarray, risk: np.ndarray) -> float:
    from sksurv.metrics import concordance_index_censored

    return float(concordance_index_censored(event, time, risk, tied_tol=0.0)[0])


ASK: dict[str, Callable[..., float]] = {
    "curvewise": ask_curvewise,
    "lifelines": ask_lifelines,
    "scikit-survival": ask_scikit_survival,
}


def concordances(sizes: tuple[int, ...], peers: list[str], repeat: int) -> list[dict[str, Any]]:
    """Time each package on the same rows; the best of several rounds counts, of a slow peer the only one."""
    records = []
    for rows in sizes:
        for kind, decimals in TIMES.items():
            data, own = outcomes(rows, decimals), (0.0, 0.0)
            for name in ("curvewise", *peers):
                if name == "scikit-survival" and rows > QUADRATIC:
                    continue
                ASK[name](*outcomes(100, decimals))  # imports are left out
                asked = partial(ASK[name], *data)
                runs = [once(asked) for _ in range(repeat if name == "curvewise" else 1)]
                best, value = min(t for t, _ in runs), runs[0][1]
                own = (best, value) if name == "curvewise" else own
                if abs(value - own[1]) > TOLERANCE:
                    sys.exit(f"{name} and curvewise differ by {abs(value - own[1]):.3g} on {rows} rows.")
                told = {"task": "concordance", "rows": rows, "times": kind, "package": name}
                records.append(told | {"seconds": best, "ratio": best / own[0], "value": value})
                print(f"{rows} rows, {kind}, {name}: {seconds(best)}", file=sys.stderr)
    return records


def over_time(rows: int, repeat: int) -> list[dict[str, Any]]:
    """Time everything that `survival` does of one model, at one and at ten horizons."""
    time, event, risk = outcomes(rows, None)
    grid = np.quantile(time, np.linspace(0.1, 0.7, HORIZONS)).tolist()
    records: list[dict[str, Any]] = []
    for count in (1, HORIZONS):
        at = grid[-1:] if count == 1 else grid
        taken = min(once(partial(cw.survival, time, event, risk, horizons=at))[0] for _ in range(repeat))
        first = records[0]["seconds"] if records else taken
        told = {"task": "over time", "rows": rows, "horizons": count, "package": "curvewise"}
        records.append(told | {"seconds": taken, "ratio": taken / first})
    return records


def tables(records: list[dict[str, Any]]) -> list[tuple[str, list[str], list[list[str]]]]:
    """Return name, header and rows of each table."""
    ranks = [r for r in records if r["task"] == "concordance"]
    shown = [
        [f"{r['rows']:,}".replace(",", " "), r["times"], r["package"], seconds(r["seconds"]), digits(r["ratio"])]
        for r in ranks
    ]
    times = [
        [f"{r['rows']:,}".replace(",", " "), str(r["horizons"]), seconds(r["seconds"]), digits(r["ratio"])]
        for r in records
        if r["task"] == "over time"
    ]
    return [
        ("Concordance", ["rows", "times", "package", "time", "times curvewise"], shown),
        (
            "cw.survival: concordance, the check of censoring, and AUC at each horizon, with intervals",
            ["rows", "horizons", "time", "times one"],
            times,
        ),
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--quick", action="store_true", help="10 000 rows, nothing written")
    parser.add_argument("--repeat", type=int, default=3, metavar="N", help="best of N (default 3)")
    parser.add_argument("-o", type=Path, dest="out", metavar="FILE", help="Markdown; CSV beside it")
    args = parser.parse_args()
    sizes = SIZES["quick" if args.quick else "full"]
    out: Path | None = args.out or (None if args.quick else RESULTS / "survival.md")
    peers = [name for name, module in PEERS.items() if find_spec(module)]
    print(*(f"{name} is left out: it is not installed." for name in PEERS if name not in peers), sep="\n")
    load = load_average()
    records = [*concordances(sizes, peers, args.repeat), *over_time(sizes[-1], args.repeat)]
    facts = {
        "load average": f"{load} before, {load_average()} after",
        "repeats": f"best of {args.repeat}, peers one",
        "checked": f"concordances differ by {TOLERANCE:g} at most",
    } | environment([*peers, "scipy"])
    if out:
        parts = [
            "# Survival benchmark",
            "Written by `python benchmarks/survival.py`. How to read it: `benchmarks/README.md`.",
        ]
        for name, header, rows in tables(records):
            parts += [f"## {name}", markdown_table(header, rows)]
        parts += ["## Environment", "\n".join(f"- {key}: {value}" for key, value in facts.items())]
        out.write_text("\n\n".join(parts) + "\n", encoding="utf-8")
        columns = dict.fromkeys(k for r in records for k in r)
        write_csv(out.with_suffix(".csv"), [{k: r.get(k) for k in columns} for r in records])
    for name, header, rows in tables(records):
        print(f"\n{name}\n{text_table(header, rows)}")
    print("\n" + "\n".join(f"{key + ':':17}{value}" for key, value in facts.items()))


if __name__ == "__main__":
    main()
