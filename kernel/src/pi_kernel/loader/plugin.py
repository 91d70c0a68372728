"""What is known of a plugin, and what went wrong with it."""

from dataclasses import dataclass
from enum import StrEnum

from pi_kernel.loader.scan import PluginSource


class PluginState(StrEnum):
    """Where a plugin stands: known from its metadata, switched off, in use, or out of use because of a failure."""

    AVAILABLE = "available"
    DISABLED = "disabled"
    LOADED = "loaded"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class PluginFailure:
    """A plugin was taken out of use.

    `step` is what was being done: scan, version, import, register or a hook's name.
    """

    plugin: str
    step: str
    error: BaseException

    @property
    def reason(self) -> str:
        """The error on one line."""
        text = " ".join(str(self.error).split())
        kind = type(self.error).__name__
        return f"{kind}: {text}" if text else kind

    def __str__(self) -> str:
        return (
            f"plugin {self.plugin!r} failed in {self.step}: {self.reason} "
            f"(it is out of use; `pi config disable {self.plugin}` silences this)"
        )


@dataclass(frozen=True, slots=True)
class PluginInfo:
    """A plugin's source, its state, and its failure when the state is `failed`. `builtin`: the bundle pins it."""

    source: PluginSource
    state: PluginState
    builtin: bool = False
    failure: PluginFailure | None = None

    @property
    def name(self) -> str:
        return self.source.name

    @property
    def version(self) -> str:
        return self.source.version
