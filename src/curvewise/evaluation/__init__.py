"""Everything at once: the evaluation of one set of rows, as objects."""
