"""A pytest plugin for runs of scikit-learn's own tests: our names stand in place of scikit-learn's.

It is loaded by name in a process of its own (see test_their_tests.py), before any test file is imported, so that
whatever a file imports, lists or wraps is ours. ``CURVEWISE_OUTCOMES`` names the file to which outcomes are written;
with ``CURVEWISE_IN_PLACE=no`` scikit-learn's functions stay, to see which tests fail anyway.
"""

import json
import os
from collections import Counter
from functools import wraps
from pathlib import Path

OUTCOMES = {}
CALLS, HANDED_OVER = Counter(), Counter()


def pytest_configure(config):
    if os.environ.get("CURVEWISE_IN_PLACE") == "no":
        return
    import sklearn.calibration
    import sklearn.metrics

    import curvewise.sklearn as ours
    from curvewise.sklearn import hand_over

    def counted(name, function):
        @wraps(function)
        def call(*data, **options):
            CALLS[name] += 1
            return function(*data, **options)

        return call

    def call_theirs(theirs, data, options):
        HANDED_OVER[theirs.__name__] += 1
        return theirs(*data, **options)

    hand_over.call_theirs = call_theirs
    for name in ours.__all__:
        found = getattr(ours, name)
        found = found if isinstance(found, type) else counted(name, found)
        for home in (sklearn.metrics, sklearn.calibration):
            if hasattr(home, name):
                setattr(home, name, found)
        setattr(ours, name, found)  # where pickle looks for it


def pytest_runtest_logreport(report):
    if report.when == "call" or report.outcome != "passed":
        outcome = "xfailed" if hasattr(report, "wasxfail") else report.outcome
        if OUTCOMES.get(report.nodeid) != "failed":
            OUTCOMES[report.nodeid] = outcome


def pytest_sessionfinish(session):
    found = {"outcomes": OUTCOMES, "calls": CALLS, "handed_over": HANDED_OVER}
    Path(os.environ["CURVEWISE_OUTCOMES"]).write_text(json.dumps(found), encoding="utf-8")
