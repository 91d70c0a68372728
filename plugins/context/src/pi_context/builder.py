"""The prompt service: puts the pieces in their order.

The text depends on its inputs and on files alone, never on the order in which things were registered or listed, so a
provider's cache of it stays valid for a day.
"""

from pathlib import Path
from typing import TYPE_CHECKING

from pi_api import SETTINGS, service
from pi_api.services import PromptInputs
from pi_catalog import find, places, switches

from pi_context import base, files, skills, toolbox

if TYPE_CHECKING:
    from pi_kernel import Kernel

    from pi_context.settings import ContextSettings


class SystemPromptBuilder:
    """`pi_api.services.PromptBuilder`. `problems` holds what the last build left out, and why."""

    def __init__(self, kernel: "Kernel", home: Path | None = None) -> None:
        self._kernel = kernel
        self._home = home or Path.home()
        self.problems: list[str] = []

    def build(self, inputs: PromptInputs) -> str:
        problems: list[str] = []
        settings = self._settings()
        folders = base.prompt_folders(inputs.cwd, self._kernel.agent_dir, trusted=inputs.trusted)
        pieces = [
            base.base(inputs.flags.get("system-prompt"), folders, problems),
            toolbox.tool_list(inputs.tools),
            toolbox.guidelines(inputs.tools),
            *base.appended(inputs.flags.get("append-system-prompt") or (), folders, problems),
            *self._instructions(inputs, settings, problems),
            self._skills(inputs, settings, problems),
            f"Current date: {inputs.date}\nWorking directory: {inputs.cwd.as_posix()}",
        ]
        self.problems = problems
        return "\n\n".join(piece for piece in pieces if piece) + "\n"

    def _settings(self) -> "ContextSettings":
        from pi_context.settings import ContextSettings

        settings = service(self._kernel, SETTINGS)
        return settings.read("context", ContextSettings) if settings else ContextSettings()

    def _instructions(self, inputs: PromptInputs, settings: "ContextSettings", problems: list[str]) -> list[str]:
        agent_dir, limit = self._kernel.agent_dir, settings.max_file_bytes
        paths = files.user_files(agent_dir)
        wanted = inputs.trusted and not inputs.flags.get("no-context-files") and settings.files != "off"
        project = files.project_files(inputs.cwd, agent_dir) if wanted else []
        if settings.files == "inject":
            return [files.injected(files.load([*paths, *project], limit, problems))]
        return [files.injected(files.load(paths, limit, problems)), files.listed(project)]

    def _skills(self, inputs: PromptInputs, settings: "ContextSettings", problems: list[str]) -> str:
        if not toolbox.can_read(inputs.tools):
            return ""
        given = inputs.flags.get("skill") or ()
        missing = [path for path in given if not Path(path).expanduser().exists()]
        problems.extend(f"there is no {path} to take skills from" for path in missing)
        discover = not inputs.flags.get("no-skills")
        folders = places.folders(
            "skill", self._kernel, inputs.cwd, home=self._home, trusted=inputs.trusted, given=given, discover=discover
        )
        found, odd = find("skill", folders)
        problems.extend(odd)
        disabled = switches.patterns(service(self._kernel, SETTINGS), "skill")
        named = [item for item in found if not item.hidden and not switches.switched_off(item, disabled)]
        if len(named) > settings.max_skills:
            problems.append(
                f"of {len(named)} skills the system prompt names {settings.max_skills}; disable some with "
                "`pi config disable skill:NAME`, or raise context.maxSkills"
            )
        return skills.catalogue(named[: settings.max_skills])
