"""Colour themes that come with pi, one JSON file each."""
