"""An evaluation read back from its JSON."""
