"""The option ``rng``: a seed, a NumPy generator, or None."""

from __future__ import annotations

from typing import cast

import numpy as np

from curvewise.errors import OptionError
from curvewise.rows.checks import is_whole
from curvewise.rows.columns import shown


def random_stream(rng: object) -> np.random.Generator:
    """Return the random numbers of a seed, of a NumPy generator, or, for None, fresh ones."""
    seed = is_whole(rng) and not isinstance(rng, bool) and rng >= 0
    if rng is None or seed:
        return np.random.default_rng(cast("int | None", rng))
    if not isinstance(rng, np.random.Generator):
        raise OptionError.of(
            "rng", f"expected a whole number of at least 0, a NumPy Generator or None, got {shown(rng)}."
        )
    if not hasattr(rng.bit_generator.seed_seq, "spawn"):
        raise OptionError.of("rng", "this generator cannot spawn streams; use numpy.random.default_rng(seed).")
    return rng
