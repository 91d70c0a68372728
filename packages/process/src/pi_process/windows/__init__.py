"""Children on Windows."""
