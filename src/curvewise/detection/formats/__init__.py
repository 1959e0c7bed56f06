"""What a user may give as truth or as detections, each form in its file, all read into a `Side`."""
