"""What a verb returns: the base of all results, tables, estimates."""
