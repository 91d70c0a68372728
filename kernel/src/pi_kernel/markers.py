"""The two pluggy markers of the project `pi`; a plugin needs only `hookimpl`."""

import pluggy

PROJECT = "pi"

hookspec = pluggy.HookspecMarker(PROJECT)
hookimpl = pluggy.HookimplMarker(PROJECT)
