"""Skills that come with pi, one folder each."""
