"""Many scores of the same rows, one per column."""
