"""Documents of blocks, and what writes them."""
