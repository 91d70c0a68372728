"""The flags that shape the system prompt."""

from pi_api import Flag

SECTION = "system prompt"

FLAGS = (
    Flag("system-prompt", "begin the system prompt with this text or file", "text", metavar="TEXT", section=SECTION),
    Flag(
        "append-system-prompt",
        "add this text or file to the system prompt; may be repeated",
        "list",
        metavar="TEXT",
        section=SECTION,
    ),
    Flag("no-context-files", "leave out the project's AGENTS.md and the like", short="nc", section=SECTION),
    Flag("skill", "a skill file, or a folder of skills; may be repeated", "list", metavar="PATH", section=SECTION),
    Flag("no-skills", "no skills but those named by --skill", short="ns", section=SECTION),
)
