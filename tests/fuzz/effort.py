"""How long to try: seconds in the test suite, as long as one likes by ``make fuzz``."""

import os
import warnings
from contextlib import contextmanager

from hypothesis import HealthCheck, settings

import curvewise as cw
from ring import examples

EXAMPLES = int(os.environ.get("CURVEWISE_FUZZ", "0"))
CHECKS = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much, HealthCheck.large_base_example]


def effort(count):
    """Return settings: so many examples, the same ones each time; with CURVEWISE_FUZZ so many, new ones each time."""
    return settings(
        max_examples=EXAMPLES or examples(count), derandomize=not EXAMPLES, deadline=None, suppress_health_check=CHECKS
    )


@contextmanager
def only_refusals():
    """Let nothing through but the library's own errors and warnings; say whether there was an answer."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.simplefilter("ignore", cw.CurvewiseWarning)
        try:
            yield
        except cw.CurvewiseError as error:
            assert "\n" not in str(error)  # noqa: PT017 - a refusal is as good as an answer
