"""Example data files; see README.md in this folder."""
