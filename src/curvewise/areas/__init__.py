"""Areas read from a sweep, one file each."""
