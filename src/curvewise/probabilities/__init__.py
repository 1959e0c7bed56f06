"""Proper scores, and whether probabilities mean what they say."""
