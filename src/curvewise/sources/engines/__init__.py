"""Engines that hold rows: what each of them can be asked, in the same words."""
