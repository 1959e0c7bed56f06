"""Where rows come from when they are not already in memory."""
