"""Create a file or replace what the session has read: the tool `write`."""
