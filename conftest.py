"""For the tests of all members: `needs_windows(reason)` skips everywhere but on Windows itself, also under Wine."""

import sys

import pytest


def on_windows_itself() -> bool:
    """Tell Windows from Wine, which exports a function of its own from ntdll."""
    if sys.platform != "win32":
        return False
    import ctypes

    return not hasattr(ctypes.WinDLL("ntdll"), "wine_get_version")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Skip what only Windows can show, with the reason that the mark gives."""
    if on_windows_itself():
        return
    for item in items:
        for mark in item.iter_markers("needs_windows"):
            item.add_marker(pytest.mark.skip(reason=f"only Windows shows it: {mark.args[0]}"))
