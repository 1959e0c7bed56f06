"""File formats: what each holds and how it is read."""
