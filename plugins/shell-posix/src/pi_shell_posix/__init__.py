"""The shell tier of Linux and macOS: one persistent bash per session."""
