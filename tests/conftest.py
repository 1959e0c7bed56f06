"""Settings shared by all tests."""

import pytest
from hypothesis import HealthCheck, settings

import curvewise as cw

# No deadline: a busy machine is not a bug. Derandomised, so that a failure is the same for everyone.
settings.register_profile(
    "curvewise",
    deadline=None,
    max_examples=30,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("curvewise")


@pytest.fixture(autouse=True)
def _default_threads():
    yield
    cw.set_threads(None)
