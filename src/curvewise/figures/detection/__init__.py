"""Figures of detectors."""
