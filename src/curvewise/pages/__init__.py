"""An evaluation as a document: results in, blocks out, nothing computed."""
