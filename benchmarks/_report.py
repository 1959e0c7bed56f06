"""The environment a benchmark ran in, and its tables as text, Markdown and CSV."""

from __future__ import annotations

import csv
import os
import platform
import subprocess
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

import curvewise as cw

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


def environment(packages: Iterable[str]) -> dict[str, str]:
    """Describe what the numbers depend on, and nothing that tells one machine from its like."""
    simd: dict[str, list[str]] = np.show_config(mode="dicts")["SIMD Extensions"]  # type: ignore[assignment]
    return {
        "CPU": f"{_cpu_model()}, {os.cpu_count()} cores",
        "system": f"{platform.system()} {platform.machine()}",
        "Python": platform.python_version(),
        "curvewise": f"{cw.__version__}, up to {cw.get_threads()} threads",
        "NumPy": np.__version__,
        "NumPy's SIMD": " ".join(simd.get("baseline", []) + simd.get("found", [])),
        **{name: version(name) for name in packages},
    }


def load_average() -> str:
    """Return how many processes were at work in the last minute, where the system can tell."""
    return f"{os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else "unknown"


def _cpu_model() -> str:
    # platform.processor() says only "x86_64", or nothing, on Linux
    info = Path("/proc/cpuinfo")
    if info.exists():
        names = [line for line in info.read_text().splitlines() if line.startswith("model name")]
        if names:
            return names[0].partition(":")[2].strip()
    if platform.system() == "Darwin":
        asked = ["/usr/sbin/sysctl", "-n", "machdep.cpu.brand_string"]
        return subprocess.run(asked, capture_output=True, text=True, check=False).stdout.strip()
    return platform.processor() or platform.machine()


def seconds(value: float | None) -> str:
    """Write a time with three digits and a unit that suits it."""
    if value is None:
        return ""
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if value >= size or unit == "µs":
            return f"{digits(value / size)} {unit}"
    raise AssertionError


def digits(value: float | None) -> str:
    """Write a number with three digits, without an exponent."""
    if value is None:
        return ""
    return f"{value:.0f}" if value >= 99.95 else f"{value:.1f}" if value >= 9.995 else f"{value:.2f}"


def text_table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Align every column to the right under its header."""
    widths = [max(map(len, column)) for column in zip(header, *rows, strict=True)]
    lines = [header, ["-" * width for width in widths], *rows]
    return "\n".join("  ".join(cell.rjust(width) for cell, width in zip(line, widths, strict=True)) for line in lines)


def markdown_table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Write the same as a Markdown table."""
    lines = [header, ["--:"] * len(header), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def write_csv(path: Path, records: Sequence[dict[str, Any]]) -> None:
    """Write records as CSV, times in seconds with four digits."""
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(records[0]), lineterminator="\n")
        writer.writeheader()
        for record in records:
            writer.writerow({k: f"{v:.4g}" if isinstance(v, float) else v for k, v in record.items()})
