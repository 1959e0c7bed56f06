"""The public names of detection, each with its home: what type checkers see, and what `__init__` loads when used."""

from curvewise.detection.match import match as match
from curvewise.detection.matched import Matched as Matched
from curvewise.detection.mean_ap import mean_ap as mean_ap
