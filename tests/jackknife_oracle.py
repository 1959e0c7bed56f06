"""Variances from what units add to coefficients, averaged with those expected beforehand, as the formulas read."""

import numpy as np


def settled(moved, factor, expected, degrees):
    """Return covariance and degrees of freedom; ``moved`` has one line per coefficient and one column per unit."""
    covariance, units = moved @ moved.T * factor, moved.shape[1]
    variance = np.diag(covariance)
    known = np.clip(2 * variance**2 / (np.sum(moved**4, axis=1) - variance**2 / units), 1, units - 1)
    mean = (5 * expected + known * variance) / (5 + known)
    times = np.sqrt(np.where(variance < expected, mean / variance, 1))
    return covariance * np.outer(times, times), np.minimum(degrees, known + 5)
