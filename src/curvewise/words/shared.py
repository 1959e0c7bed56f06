"""Words that serve in several places: which family of keys takes which of its words from another family.

``ppv=precision`` takes the word under another name.
"""

from __future__ import annotations

SHARED = (
    ("column", "metric", "prevalence"),
    ("column", "column", "n=rows p=p_value truths=objects"),
    ("data", "column", "positives negatives cases"),
    ("reclassification", "column", "positives negatives"),
    ("drift_part", "column", "positives negatives"),
    ("many.column", "column", "observed predicted class row"),
    ("many.column", "metric", "roc_auc"),
    ("data", "many.column", "rows"),
    ("detection.column", "column", "group class image missed iou"),
    ("detection.column", "many.column", "precision recall f=f1"),
    ("detection.column", "detection.column", "objects=truths"),
    ("detection.data", "detection.column", "images"),
    ("diagnostic", "metric", "specificity npv accuracy"),
    ("data", "detection.column", "number_of_classes=classes"),
    ("figure", "detection.methods.errors", "detection_errors=title"),
    ("figure.word", "mistake", "error_missed=miss missed=miss"),
    ("many.card", "many.meaning", "kappa"),
    ("metric.pitfall", "metric.pitfall", "spherical_skill=brier_skill"),
    ("note", "note", "class_gaps_more=groups_differ_more survival_of_model=of_model"),
    ("part", "column", "point=threshold"),
    ("part", "figure", "sites"),
    ("figure", "classes", "confusion confusion_matrix=confusion"),
    ("figure.word", "column", "threshold value threshold_probability time loss=score detected_as=taken_for"),
    ("figure.word", "detection.column", "ap average_precision=ap false_positives_per_image delta_ap"),
    ("figure.word", "detection.column", "errors=count boxes=detections"),
    ("figure.word", "many.column", "rows precision recall f1"),
    ("figure.word", "matrix", "positive negative"),
    ("figure.word", "metric", "specificity fpr fnr roc_auc auc=roc_auc net_benefit recall_gain precision_gain lift"),
    ("figure.word", "mistakes.column", "score"),
    ("js", "metric", "specificity fpr npv ppv=precision benefit=net_benefit miss_rate=fnr"),
    ("detection.js", "detection.column", "threshold wrong_per_image=false_positives_per_image"),
    ("detection.js", "figure.word", "missed"),
    ("detection.js", "many.column", "precision recall f1"),
)


def with_shared(texts: dict[str, str]) -> dict[str, str]:
    """Return texts with the words that families share, each under the key of every place where it serves."""
    shared = dict(texts)
    for family, home, names in SHARED:
        pairs = [(name.partition("=")[0], name.rpartition("=")[2]) for name in names.split()]
        shared |= {f"{family}.{name}": shared[f"{home}.{there}"] for name, there in pairs}
    return shared
