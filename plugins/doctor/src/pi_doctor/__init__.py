"""`pi doctor` and `pi plugins`."""
