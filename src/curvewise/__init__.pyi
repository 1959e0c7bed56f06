"""The public names of curvewise, each with its home: what type checkers see, and what `__init__` loads when used.

No top-level module or package may share the name of a public verb: importing it would put it in the verb's place.
"""

from curvewise.breakdown.criteria import Criterion as Criterion
from curvewise.breakdown.cross_auc import Cross as Cross
from curvewise.breakdown.group_metrics import Group as Group
from curvewise.breakdown.group_metrics import Groups as Groups
from curvewise.breakdown.group_thresholds import GroupThresholds as GroupThresholds
from curvewise.breakdown.site_metrics import Site as Site
from curvewise.breakdown.site_metrics import Sites as Sites

__version__: str
__all__: list[str]
