"""The sweep and what makes it: sorting, ranking, resampling, threads."""
