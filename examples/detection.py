"""Two simulated detectors on the same images: which is better, where, what goes wrong, and the page.

python examples/detection.py [detectors.html]
"""

from __future__ import annotations

import sys
from importlib.resources import files

import curvewise as cw

data = files("curvewise.data")
truth = data / "traffic_truth.json"
boxes = {name: data / f"traffic_detector_{name}.json" for name in ("a", "b")}

found = cw.detection.evaluate(truth, boxes, by="weather", replicates=200)
print(found)

a, b = (found.detectors[name].matched for name in ("a", "b"))
for metric in ("ap", "ap50", "ap75"):  # b finds more objects, a draws tighter boxes
    print(a.compare(b, metric=metric, names=("a", "b"), replicates=200).difference)
print(found.detectors["a"].per_class)
print(found.detectors["a"].groups["weather"])
print(f"AP of a is {a.ap:.4f}; pycocotools, by its order of equal scores, says {a.like_pycocotools()['ap']:.4f}")

if len(sys.argv) > 1:
    found.report(sys.argv[1], force=True)
