"""The public names of detection, each with its home: what type checkers see, and what `__init__` loads when used."""

from curvewise.detection.at_threshold import ClassAt as ClassAt
from curvewise.detection.at_threshold import DetectionsAt as DetectionsAt
from curvewise.detection.averaging import mean_ap as mean_ap
from curvewise.detection.breakdown import DetectionGroup as DetectionGroup
from curvewise.detection.breakdown import DetectionGroups as DetectionGroups
from curvewise.detection.class_confusion import DetectionConfusion as DetectionConfusion
from curvewise.detection.class_differences import ClassDifferences as ClassDifferences
from curvewise.detection.error_types import DetectionErrors as DetectionErrors
from curvewise.detection.evaluation import DetectionEvaluation as DetectionEvaluation
from curvewise.detection.evaluation import DetectorEvaluation as DetectorEvaluation
from curvewise.detection.evaluation import evaluate as evaluate
from curvewise.detection.f_curve import BestThreshold as BestThreshold
from curvewise.detection.f_curve import FCurve as FCurve
from curvewise.detection.froc import Froc as Froc
from curvewise.detection.matched import Matched as Matched
from curvewise.detection.matching import match as match
from curvewise.detection.numbers import Number as Number
from curvewise.detection.numbers import Reader as Reader
from curvewise.detection.per_class import ClassRow as ClassRow
from curvewise.detection.per_class import ClassTable as ClassTable
from curvewise.detection.summary import DetectionSummary as DetectionSummary
