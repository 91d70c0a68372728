"""Names of what a project brings along for pi: the trust that guards them and their readers go by the same list."""

PROJECT_FOLDER = ".pi"
"""Folder of a project's own settings, prompts and skills, in the working directory."""

SHARED_SKILLS = ".agents/skills"
"""Folder of skills for every kind of agent, in the working directory or above."""

CONTEXT_FILES = (
    "AGENTS.override.md",
    "AGENTS.md",
    "AGENTS.MD",
    "CLAUDE.md",
    "CLAUDE.MD",
    "GEMINI.md",
    "GEMINI.MD",
)
"""Instructions for agents; of those in one folder the first counts."""
