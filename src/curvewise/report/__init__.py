"""The report: an evaluation as one page that needs nothing else."""
