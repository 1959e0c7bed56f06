"""What each measure of calibration says, in plain words."""

from __future__ import annotations

MEANINGS = {
    "in_the_large": "log odds to add to every row; 0 is right, below 0 the probabilities are too high",
    "slope": "1 is right; below 1 probabilities are too extreme, above 1 too timid",
    "intercept": "goes with the slope: log odds of the outcome where p = 0.5; 0 is right",
    "observed_expected": "positives for each one promised; 1 is right, below 1 too many are promised",
    "ece": "mean gap between promise and outcome in bins; above 0 even for perfect probabilities",
    "mce": "the largest gap of any bin; often that of a bin with few rows",
    "squared_error": "mean squared gap less what chance adds; about 0 is right, may be below",
    "ici": "mean gap to the smooth curve; above 0 even for perfect probabilities",
    "e50": "half of the rows have a smaller gap to the smooth curve",
    "e90": "nine rows in ten have a smaller gap to the smooth curve",
    "spiegelhalter": "z of the Brier score against what it should be; too high and too low can cancel",
    "hosmer_lemeshow": "chi-square, {self.hosmer_lemeshow.degrees} degrees of freedom; depends on groups "
    "and n: no measure of how bad it is",
}
