"""Rows that never end, counted in fixed memory."""
