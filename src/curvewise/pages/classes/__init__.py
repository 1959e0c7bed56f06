"""The page of a model of many classes."""
