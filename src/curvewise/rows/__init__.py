"""From anything to rows: columns, labels, weights, clusters, checked once."""
