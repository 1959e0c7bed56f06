"""Counts at one threshold: the confusion table and the rates read from it."""
