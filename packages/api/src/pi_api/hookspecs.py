"""Feature hooks. In each the host passes `register` and the plugin calls it with every value it has to offer.

They are called the first time somebody asks for that kind of value, each implementation on its own: one that fails
takes only its own plugin out of use.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from pi_kernel.markers import hookspec

if TYPE_CHECKING:
    from pi_api.command import Command, Flag, Mode
    from pi_api.provider import Provider
    from pi_api.resource import DoctorCheck, Resource
    from pi_api.services import Service
    from pi_api.shell import ShellTier
    from pi_api.tool import Tool


@hookspec
def pi_tools(register: "Callable[[Tool], None]") -> None:
    """Offer tools to the model; called when the first session is made. Of two tools of one name the first is used.

    >>> from pi_kernel import hookimpl
    >>> @hookimpl
    ... def pi_tools(register):
    ...     from pi_api import Tool, ToolResult
    ...     async def shout(params, context):
    ...         return ToolResult.text(params["text"].upper())
    ...     register(Tool("shout", "Say it loudly.", {"text": {"type": "string"}}, shout))
    """


@hookspec
def pi_providers(register: "Callable[[Provider], None]") -> None:
    """Offer providers of models; called when a model is chosen or listed. Of two of one name the last is used.

    >>> from pi_kernel import hookimpl
    >>> @hookimpl
    ... def pi_providers(register):
    ...     from my_plugin.provider import MyProvider
    ...     register(MyProvider())
    """


@hookspec
def pi_commands(register: "Callable[[Command], None]") -> None:
    """Offer slash commands; called when the first prompt arrives.

    >>> from pi_kernel import hookimpl
    >>> @hookimpl
    ... def pi_commands(register):
    ...     from pi_api import Command
    ...     async def hello(arguments, context):
    ...         context.say(f"hello {arguments}")
    ...     register(Command("hello", "Say hello.", hello))
    """


@hookspec
def pi_flags(register: "Callable[[Flag], None]") -> None:
    """Offer command-line flags; called before the command line is parsed.

    >>> from pi_kernel import hookimpl
    >>> @hookimpl
    ... def pi_flags(register):
    ...     from pi_api import Flag
    ...     register(Flag("loud", "Answer in capitals."))
    """


@hookspec
def pi_modes(register: "Callable[[Mode], None]") -> None:
    """Offer ways to talk to a session; called before one is chosen.

    >>> from pi_kernel import hookimpl
    >>> @hookimpl
    ... def pi_modes(register):
    ...     from pi_api import Mode
    ...     async def run(mode_run):
    ...         await mode_run.session.start()
    ...         return 0
    ...     register(Mode("null", "Start and stop.", run))
    """


@hookspec
def pi_shell_tiers(register: "Callable[[ShellTier], None]") -> None:
    """Offer ways to run shell commands; called when a shell is first needed.

    >>> from pi_kernel import hookimpl
    >>> @hookimpl
    ... def pi_shell_tiers(register):
    ...     from my_plugin.tier import MyTier
    ...     register(MyTier())
    """


@hookspec
def pi_resources(register: "Callable[[Resource], None]") -> None:
    """Name folders of skills, prompts and themes; called when resources are listed. Nothing in them is imported.

    >>> from pi_kernel import hookimpl
    >>> @hookimpl
    ... def pi_resources(register):
    ...     from pi_api import Resource
    ...     register(Resource("skill", "my_plugin", "skills"))
    """


@hookspec
def pi_doctor_checks(register: "Callable[[DoctorCheck], None]") -> None:
    """Offer checks to `pi doctor`; called by it alone.

    >>> from pi_kernel import hookimpl
    >>> @hookimpl
    ... def pi_doctor_checks(register):
    ...     from pi_api import DoctorCheck, Finding
    ...     register(DoctorCheck("moon", "the moon", lambda view: Finding(True, "still there")))
    """


@hookspec
def pi_services(register: "Callable[[Service[Any]], None]") -> None:
    """Offer an implementation of a service (see `pi_api.services`); called when a service is first asked for.

    >>> from pi_kernel import hookimpl
    >>> @hookimpl
    ... def pi_services(register):
    ...     from pi_api import Service, TRUST
    ...     from my_plugin.trust import NobodyIsTrusted
    ...     register(Service(TRUST, lambda kernel: NobodyIsTrusted()))
    """
