"""Numbers read from matched detections."""
