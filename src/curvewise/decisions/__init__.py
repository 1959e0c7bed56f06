"""From a curve to a threshold: costs, rules, operating points."""

from curvewise.decisions import rules as rules
