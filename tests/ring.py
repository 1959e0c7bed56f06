"""How much of a test is done in the quick ring."""

import os

QUICK = os.environ.get("CURVEWISE_RING") == "quick"


def examples(count, quick=20):
    """Return how many examples a property is tried on: ``count``, in the quick ring fewer."""
    return min(count, quick) if QUICK else count
