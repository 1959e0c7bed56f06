"""What detectors get wrong."""
