"""Outcomes that may be censored: survival times, judged by concordance and at horizons."""
