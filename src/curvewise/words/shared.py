"""Words that serve in several places: which family of keys takes which of its words from another family."""

from __future__ import annotations

SHARED = (
    ("column", "metric", "prevalence"),
    ("data", "column", "positives negatives cases"),
    ("reclassification", "column", "positives negatives"),
    ("drift_part", "column", "positives negatives"),
    ("many.column", "column", "observed predicted class row"),
    ("many.column", "metric", "roc_auc"),
    ("data", "many.column", "rows"),
    ("detection.column", "column", "group class image missed iou"),
    ("detection.column", "many.column", "precision recall"),
    ("detection.data", "detection.column", "images"),
    ("diagnostic", "metric", "specificity npv accuracy"),
    ("figure", "classes", "confusion"),
    ("figure.word", "column", "threshold value threshold_probability time"),
    ("figure.word", "detection.column", "ap false_positives_per_image delta_ap"),
    ("figure.word", "many.column", "rows precision recall f1"),
    ("figure.word", "matrix", "positive negative"),
    ("figure.word", "metric", "specificity fpr fnr roc_auc net_benefit recall_gain precision_gain lift"),
    ("figure.word", "mistakes.column", "score"),
    ("js", "metric", "specificity fpr npv"),
    ("detection.js", "detection.column", "threshold"),
    ("detection.js", "figure.word", "missed"),
    ("detection.js", "many.column", "precision recall f1"),
)


def with_shared(texts: dict[str, str]) -> dict[str, str]:
    """Return texts with the words that families share, each under the key of every place where it serves."""
    shared = dict(texts)
    for family, home, names in SHARED:
        shared |= {f"{family}.{name}": shared[f"{home}.{name}"] for name in names.split()}
    return shared
