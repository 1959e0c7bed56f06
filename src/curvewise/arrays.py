"""Names of the arrays that annotations mention."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Places = NDArray[np.intp]  # of rows, blocks, groups
Bools = NDArray[np.bool_]
Ints = NDArray[Any]  # int64, or float64 where weights are fractional
