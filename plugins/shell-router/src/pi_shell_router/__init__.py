"""Routes shell commands to tiers, and gives people the same road as `pi shell`."""
