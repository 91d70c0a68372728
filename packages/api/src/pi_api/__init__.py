"""The contract between the plugins of pi. Nothing here does input or output.

Names are resolved on first use, so that a manifest that needs one type does not load all of them.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pluggy

    from pi_api.command import Command as Command
    from pi_api.command import CommandContext as CommandContext
    from pi_api.command import Flag as Flag
    from pi_api.command import Mode as Mode
    from pi_api.command import ModeRun as ModeRun
    from pi_api.command import Prompt as Prompt
    from pi_api.errors import BusyError as BusyError
    from pi_api.errors import ErrorKind as ErrorKind
    from pi_api.errors import Leave as Leave
    from pi_api.errors import PiError as PiError
    from pi_api.errors import ProviderFailure as ProviderFailure
    from pi_api.errors import UsageError as UsageError
    from pi_api.kinds import service as service
    from pi_api.messages import AssistantMessage as AssistantMessage
    from pi_api.messages import Image as Image
    from pi_api.messages import Message as Message
    from pi_api.messages import Text as Text
    from pi_api.messages import Thinking as Thinking
    from pi_api.messages import ToolCall as ToolCall
    from pi_api.messages import ToolResultMessage as ToolResultMessage
    from pi_api.messages import UserMessage as UserMessage
    from pi_api.model import Model as Model
    from pi_api.model import ThinkingLevel as ThinkingLevel
    from pi_api.provider import Provider as Provider
    from pi_api.provider import Request as Request
    from pi_api.resource import DoctorCheck as DoctorCheck
    from pi_api.resource import DoctorView as DoctorView
    from pi_api.resource import Finding as Finding
    from pi_api.resource import Resource as Resource
    from pi_api.services import AGENT as AGENT
    from pi_api.services import PROMPT as PROMPT
    from pi_api.services import SESSIONS as SESSIONS
    from pi_api.services import SETTINGS as SETTINGS
    from pi_api.services import SHELL as SHELL
    from pi_api.services import TRUST as TRUST
    from pi_api.services import Service as Service
    from pi_api.session import Session as Session
    from pi_api.session import SessionOptions as SessionOptions
    from pi_api.settings import SettingsSection as SettingsSection
    from pi_api.shell import ShellTier as ShellTier
    from pi_api.tool import Tool as Tool
    from pi_api.tool import ToolContext as ToolContext
    from pi_api.tool import ToolError as ToolError
    from pi_api.tool import ToolResult as ToolResult
    from pi_api.usage import Usage as Usage

_HOMES = {
    "command": "Command CommandContext Flag Mode ModeRun Prompt",
    "errors": "BusyError ErrorKind Leave PiError ProviderFailure UsageError",
    "kinds": "service",
    "messages": "AssistantMessage Image Message Text Thinking ToolCall ToolResultMessage UserMessage",
    "model": "Model ThinkingLevel",
    "provider": "Provider Request",
    "resource": "DoctorCheck DoctorView Finding Resource",
    "services": "AGENT PROMPT SESSIONS SETTINGS SHELL TRUST Service",
    "session": "Session SessionOptions",
    "settings": "SettingsSection",
    "shell": "ShellTier",
    "tool": "Tool ToolContext ToolError ToolResult",
    "usage": "Usage",
}
_MODULE_OF = {name: module for module, names in _HOMES.items() for name in names.split()}


def __getattr__(name: str) -> object:
    if name not in _MODULE_OF:
        raise AttributeError(f"module 'pi_api' has no attribute {name!r}")
    return getattr(import_module(f"pi_api.{_MODULE_OF[name]}"), name)


def add_hookspecs(pm: "pluggy.PluginManager") -> None:
    """Specify the feature hooks, once; a plugin that asks for registered values does this in `pi_addhooks`."""
    caller = getattr(pm.hook, "pi_tools", None)
    if caller is None or not caller.has_spec():
        pm.add_hookspecs(import_module("pi_api.hookspecs"))
