"""Finding plugins, loading them one by one, and containing what goes wrong in each."""

from pi_kernel.loader.containment import Hung, Warden
from pi_kernel.loader.loader import Loader
from pi_kernel.loader.plugin import PluginFailure, PluginInfo, PluginState
from pi_kernel.loader.scan import PluginSource, scan

__all__ = ["Hung", "Loader", "PluginFailure", "PluginInfo", "PluginSource", "PluginState", "Warden", "scan"]
