"""The page of models with scores, one file per section."""
