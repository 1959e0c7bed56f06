"""Intervals and comparisons from draws of whole images."""
