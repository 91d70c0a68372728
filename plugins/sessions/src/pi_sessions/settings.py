"""Settings of this plugin."""

from dataclasses import dataclass

from pi_api.settings import setting


@dataclass(frozen=True, slots=True)
class SessionsSettings:
    """Section `sessions`. `dir`: the folder session files go to, instead of one per project under the agent folder."""

    dir: str = setting("", "folder of session files; ~ is the home folder")
