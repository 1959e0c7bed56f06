"""The public names of objectives, each with its home: what type checkers see, and what `__init__` loads when used."""

from curvewise.objectives.boosting import BoostingObjective as BoostingObjective
from curvewise.objectives.linear import PartialAucClassifier as PartialAucClassifier
from curvewise.objectives.region import Objective as Objective
from curvewise.objectives.surrogate import auc as auc
from curvewise.objectives.surrogate import partial_auc as partial_auc
from curvewise.objectives.torch_loss import PartialAucLoss as PartialAucLoss
