"""The public names of detection, each with its home: what type checkers see, and what `__init__` loads when used."""

from curvewise.detection.matching.match import match as match
from curvewise.detection.matching.matched import Matched as Matched
from curvewise.detection.mistakes.class_confusion import DetectionConfusion as DetectionConfusion
from curvewise.detection.mistakes.error_types import DetectionErrors as DetectionErrors
from curvewise.detection.numbers.at_threshold import ClassAt as ClassAt
from curvewise.detection.numbers.at_threshold import DetectionsAt as DetectionsAt
from curvewise.detection.numbers.averaging import mean_ap as mean_ap
from curvewise.detection.numbers.breakdown import DetectionGroup as DetectionGroup
from curvewise.detection.numbers.breakdown import DetectionGroups as DetectionGroups
from curvewise.detection.numbers.catalogue import Number as Number
from curvewise.detection.numbers.catalogue import Reader as Reader
from curvewise.detection.numbers.f_curve import BestThreshold as BestThreshold
from curvewise.detection.numbers.f_curve import FCurve as FCurve
from curvewise.detection.numbers.froc import Froc as Froc
from curvewise.detection.numbers.per_class import ClassRow as ClassRow
from curvewise.detection.numbers.per_class import ClassTable as ClassTable
from curvewise.detection.numbers.summary import DetectionSummary as DetectionSummary
from curvewise.detection.resampling.class_differences import ClassDifferences as ClassDifferences
from curvewise.evaluation.detector import DetectorEvaluation as DetectorEvaluation
from curvewise.evaluation.detectors import DetectionEvaluation as DetectionEvaluation
from curvewise.evaluation.detectors import evaluate as evaluate
