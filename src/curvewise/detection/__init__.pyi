"""The public names of detection, each with its home: what type checkers see, and what `__init__` loads when used."""

from curvewise.detection.averaging import mean_ap as mean_ap
from curvewise.detection.matched import Matched as Matched
from curvewise.detection.matching import match as match
