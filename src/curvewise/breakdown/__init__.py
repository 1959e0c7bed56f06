"""Groups and sites: the same metrics, broken down."""
