"""Manifest: the provider `anthropic` and the settings section of the same name."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from pi_kernel import hookimpl

if TYPE_CHECKING:
    from pi_api import Provider, SettingsSection


@hookimpl
def pi_providers(register: "Callable[[Provider], None]") -> None:
    """Offer the provider."""
    from pi_provider_anthropic.provider import AnthropicProvider

    register(AnthropicProvider())


@hookimpl
def pi_settings(register: "Callable[[SettingsSection], None]") -> None:
    """Name the section `anthropic`."""
    from pi_api import SettingsSection

    register(
        SettingsSection(
            "anthropic",
            model="pi_provider_anthropic.settings:AnthropicSettings",
            description="requests to Anthropic's models",
            env=(("ANTHROPIC_BASE_URL", "baseUrl"),),
        )
    )
