"""Inside scikit-learn's model selection: scorers, and a rule that chooses a classifier's threshold."""
