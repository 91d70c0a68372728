"""Slash commands: `/name arguments` runs the command of that name, whatever the session is doing."""

import asyncio
from typing import TYPE_CHECKING

from pi_api.command import Command, CommandContext
from pi_api.errors import PiError
from pi_api.events import Notice
from pi_api.kinds import COMMANDS
from pi_api.session import Session

if TYPE_CHECKING:
    from pi_kernel import Kernel


def command_in(kernel: "Kernel", prompt: str) -> tuple[Command, str] | None:
    """The command a prompt names and its arguments; `None` when the prompt is for the model."""
    if not prompt.startswith("/") or not prompt[1:].strip() or prompt[1].isspace():
        return None
    name, *arguments = prompt[1:].split(None, 1)
    command = kernel.get(COMMANDS, name)
    return None if command is None else (command, "".join(arguments).strip())


async def run_command(command: Command, arguments: str, session: Session) -> None:
    """Run a command; what it says, and what goes wrong in it, becomes a `Notice`."""
    said: list[asyncio.Task[None]] = []

    def say(line: str) -> None:
        said.append(asyncio.create_task(session.bus.emit(Notice(line, "info", {"command": command.name}))))

    try:
        await command.run(arguments, CommandContext(session, say))
    except PiError as error:
        await session.bus.emit(Notice(str(error), "error", {"command": command.name}))
    except (Exception, SystemExit) as error:
        text = f"the command /{command.name} failed: {type(error).__name__}: {error}"
        await session.bus.emit(Notice(text, "error", {"command": command.name}))
    finally:
        for task in said:
            await task
