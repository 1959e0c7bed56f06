"""Every number read from a sweep, registered where it is defined."""
