"""Contract tests: subclass one as `Test...`, give it your object as a fixture; pytest runs what pi expects of it."""

from pi_testkit.contracts.provider import ProviderContract
from pi_testkit.contracts.settings import SettingsContract
from pi_testkit.contracts.shell import ShellTierContract
from pi_testkit.contracts.tool import ToolContract

__all__ = ["ProviderContract", "SettingsContract", "ShellTierContract", "ToolContract"]
