"""The page of detectors, one file per section."""
