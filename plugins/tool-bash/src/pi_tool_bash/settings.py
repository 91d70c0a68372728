"""Settings of this plugin."""

from dataclasses import dataclass

from pi_api.settings import setting


@dataclass(frozen=True, slots=True)
class BashSettings:
    """Section `bash`. `timeout`: seconds a command may take when the model names no limit; 0 means none."""

    timeout: float = setting(120.0, "seconds a command may take by default; 0: no limit", at_least=0)
    pass_secrets: bool = setting(False, "let commands see the keys of model providers")
