"""Children on Linux, macOS and the BSDs."""
