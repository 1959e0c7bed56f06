"""The sections of the report, one file each, in the order of a reader's questions."""
