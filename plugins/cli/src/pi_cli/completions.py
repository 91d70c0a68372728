"""`pi completions SHELL`: a script that completes commands and options, for bash, zsh, fish and PowerShell."""

import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pi_api import Flag
from pi_api.kinds import FLAGS
from pi_kernel.main import installed_commands

if TYPE_CHECKING:
    from pi_kernel import Kernel

USAGE = """usage: pi completions {bash,zsh,fish,powershell}

Prints a completion script. Load it from your shell's start-up file:
  bash        eval "$(pi completions bash)"
  zsh         eval "$(pi completions zsh)"       (after compinit)
  fish        pi completions fish | source
  powershell  pi completions powershell | Out-String | Invoke-Expression"""


@dataclass(frozen=True, slots=True)
class Word:
    """A word that can stand on the command line, and what it means."""

    text: str
    help: str


def main(kernel: "Kernel", arguments: list[str]) -> int:
    """Print the script for a shell; 2 when the shell is unknown."""
    if arguments in (["-h"], ["--help"]):
        print(USAGE)
        return 0
    if len(arguments) != 1 or arguments[0] not in SCRIPTS:
        print(USAGE, file=sys.stderr)
        return 2
    kernel.load()
    words = _words((flag.value for flag in kernel.all(FLAGS)), sorted(installed_commands()))
    print(SCRIPTS[arguments[0]](words))
    return 0


def _words(flags: Iterable[Flag], commands: Sequence[str]) -> list[Word]:
    options = [Word(f"--{flag.name}", flag.help) for flag in flags]
    return [Word(name, f"pi {name} --help says more") for name in commands if name != "run"] + [
        *options,
        Word("--help", "show help"),
        Word("--version", "show the version"),
    ]


def bash_script(words: Sequence[Word]) -> str:
    """Words from the list; after `@` a file; else whatever bash itself completes."""
    return f"""_pi() {{
    local current=${{COMP_WORDS[COMP_CWORD]}}
    if [[ $current == @* ]]; then
        mapfile -t COMPREPLY < <(compgen -P @ -f -- "${{current#@}}")
    else
        mapfile -t COMPREPLY < <(compgen -W '{" ".join(word.text for word in words)}' -- "$current")
    fi
}}
complete -o default -F _pi pi"""


def zsh_script(words: Sequence[Word]) -> str:
    """Words with their meaning, and files."""
    described = " ".join(_single_quoted(f"{word.text}:{word.help}".replace("\\", "")) for word in words)
    return f"""_pi() {{
    local -a words_of_pi=({described})
    _describe pi words_of_pi
    _files
}}
compdef _pi pi"""


def fish_script(words: Sequence[Word]) -> str:
    """One `complete` a word."""
    lines = []
    for word in words:
        what = f"-l {word.text[2:]}" if word.text.startswith("--") else f"-n __fish_use_subcommand -a {word.text}"
        lines.append(f"complete -c pi {what} -d {_single_quoted(word.help)}")
    return "\n".join(lines)


def powershell_script(words: Sequence[Word]) -> str:
    """A native argument completer."""
    pairs = "; ".join(f"{_doubled(word.text)} = {_doubled(word.help)}" for word in words)
    return f"""Register-ArgumentCompleter -Native -CommandName pi -ScriptBlock {{
    param($word, $ast, $cursor)
    $known = [ordered]@{{ {pairs} }}
    $known.Keys | Where-Object {{ $_ -like "$word*" }} | ForEach-Object {{
        [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $known[$_])
    }}
}}"""


def _single_quoted(text: str) -> str:
    return "'" + text.replace("'", "'\\''") + "'"


def _doubled(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


SCRIPTS: dict[str, Callable[[Sequence[Word]], str]] = {
    "bash": bash_script,
    "zsh": zsh_script,
    "fish": fish_script,
    "powershell": powershell_script,
}
