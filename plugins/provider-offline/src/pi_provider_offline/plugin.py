"""Manifest: the provider `offline` and the settings section of the same name."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from pi_kernel import hookimpl

if TYPE_CHECKING:
    from pi_api import Provider, SettingsSection


@hookimpl
def pi_providers(register: "Callable[[Provider], None]") -> None:
    """Offer the provider."""

    from pi_provider_offline.provider import OfflineProvider

    register(OfflineProvider())


@hookimpl
def pi_settings(register: "Callable[[SettingsSection], None]") -> None:
    """Name the section `offline`."""

    from pi_api import SettingsSection

    register(
        SettingsSection(
            "offline",
            model="pi_provider_offline.settings:OfflineSettings",
            description="the embedded offline model",
            env=(("PI_OFFLINE_SCRIPT", "script"),),
        )
    )
