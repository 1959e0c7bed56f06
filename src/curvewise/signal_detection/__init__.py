"""Signal detection: d-prime and the binormal curve."""
