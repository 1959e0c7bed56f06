"""More than two classes, and several labels a row."""
