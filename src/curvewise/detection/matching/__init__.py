"""Which detection takes which object."""
