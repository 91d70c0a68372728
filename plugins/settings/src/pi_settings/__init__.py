"""The settings service: layers, the files behind them, and what their owners accept."""
