"""Expands words: tilde, parameters, command substitution, field splitting, patterns; each word once."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pi_shell.nodes import CommandSub, DoubleQuoted, Parameter, Quoted, Raw, Tilde

from pi_shell_engine.engine.environment import DEFAULT_IFS, home, value_of
from pi_shell_engine.engine.fields import Field, Splitter
from pi_shell_engine.engine.globbing import directory_pattern_matches, expand_pattern
from pi_shell_engine.engine.plans import Need
from pi_shell_engine.engine.state import ShellExit

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pi_shell.nodes import Segment, Word

    from pi_shell_engine.engine.plans import Need
    from pi_shell_engine.engine.run import Run
from pi_shell_engine.engine.state import State, Streams


def expand_words(run: Run, words: Iterable[Word], state: State, io: Streams) -> list[str]:
    """The arguments that `words` stand for."""
    found: list[str] = []
    for word in words:
        need, text = run.plan(word)
        if need is Need.NOTHING:
            found.append(text)
            continue
        if need is not Need.EVERYTHING:
            value = str(state.status) if text == "?" else state.variables.get(text)
            if value is not None and (need is Need.QUOTED_VALUE or _is_one_field(value, state)):
                found.append(value)
                continue
        found += expand_word(run, word, state, io)
    return found


def _is_one_field(value: str, state: State) -> bool:
    """Whether neither splitting nor a pattern can make anything else of `value`."""
    return "IFS" not in state.variables and PLAIN.fullmatch(value) is not None


def expand_word(run: Run, word: Word, state: State, io: Streams) -> list[str]:
    """The arguments that one word stands for: none, one or many."""
    splitter = Splitter(state.variables.get("IFS", DEFAULT_IFS))
    _Expansion(run, state, io).into(word.segments, splitter, split_raw=False)
    found: list[str] = []
    for field in splitter.finish():
        found += _paths(run, field, state, io) if field.is_pattern else (field.text,)
    return found


def expand_text(run: Run, word: Word, state: State, io: Streams) -> str:
    """The one text a word stands for where it is neither split nor a pattern (an assignment's value)."""
    text = run.constant(word)
    return text if text is not None else _Expansion(run, state, io).text(word.segments)


def _paths(run: Run, field: Field, state: State, io: Streams) -> list[str]:
    if directory_pattern_matches(field, state.cwd, run.paths):
        run.hint_on("directory-glob", io.stderr, pattern=field.text)
    return expand_pattern(field, state.cwd, run.paths, state.variables.get("GLOBIGNORE", "")) or [field.text]


class _Expansion:
    """The expansion of segments in one shell's state."""

    __slots__ = ("io", "run", "state")

    def __init__(self, run: Run, state: State, io: Streams) -> None:
        self.run = run
        self.state = state
        self.io = io

    def into(self, segments: Iterable[Segment], splitter: Splitter, *, split_raw: bool) -> None:
        """Adds what `segments` stand for; `split_raw` is set inside `${V:-…}`, whose own text is split."""
        for segment in segments:
            if isinstance(segment, Raw):
                if split_raw:
                    splitter.split(segment.text)
                else:
                    splitter.text(segment.text, quoted=False)
            elif isinstance(segment, Parameter):
                self._parameter(segment, splitter)
            elif isinstance(segment, CommandSub):
                splitter.split(self._substituted(segment))
            else:
                splitter.text(self.text((segment,)), quoted=True)

    def _parameter(self, segment: Parameter, splitter: Splitter) -> None:
        value = self._plain(segment.name)
        used = value if segment.operator == ":+" else not value
        if segment.argument is not None and used and segment.operator in (":-", ":+"):
            self.into(segment.argument.segments, splitter, split_raw=True)
        else:
            splitter.split(self._value(segment))

    def text(self, segments: Iterable[Segment]) -> str:
        """What `segments` stand for, as one text."""
        parts: list[str] = []
        for segment in segments:
            if isinstance(segment, Raw | Quoted):
                parts.append(segment.text)
            elif isinstance(segment, Parameter):
                parts.append(self._value(segment))
            elif isinstance(segment, CommandSub):
                parts.append(self._substituted(segment))
            elif isinstance(segment, DoubleQuoted):
                parts.append(self.text(segment.segments))
            elif isinstance(segment, Tilde):
                parts.append(self._home())
        return "".join(parts)

    def _home(self) -> str:
        found = home(self.state.variables, windows=self.run.paths.windows)
        return "~" if found is None else found

    def _plain(self, name: str) -> str:
        if name == "?":
            return str(self.state.status)
        return value_of(self.state.variables, name, windows=self.run.paths.windows)

    def _value(self, segment: Parameter) -> str:
        value = self._plain(segment.name)
        argument = segment.argument.segments if segment.argument is not None else ()
        match segment.operator:
            case None:
                return value
            case "#":
                return str(len(value))
            case ":-":
                return value or self.text(argument)
            case ":+":
                return self.text(argument) if value else ""
            case ":=":
                if not value:
                    value = self.text(argument)
                    self.state.variables[segment.name] = value
                return value
            case ":?":
                if not value:
                    self._required(segment.name, self.text(argument))
                return value

    def _required(self, name: str, text: str) -> None:
        """`${NAME:?text}` of an empty variable ends the shell, as in a script."""
        self.run.warn(f"{name}: {text or 'parameter null or not set'}", self.io.stderr)
        raise ShellExit(1)

    def _substituted(self, segment: CommandSub) -> str:
        from pi_shell_engine.engine.substitution import substitute

        return substitute(self.run, segment.body, self.state, self.io)


def needs_own_process(words: Iterable[Word]) -> bool:
    """Whether expanding `words` may run commands, which then need the streams of the place they stand in."""
    return any(_has_substitution(word.segments) for word in words)


def _has_substitution(segments: Iterable[Segment]) -> bool:
    for segment in segments:
        if isinstance(segment, CommandSub):
            return True
        if isinstance(segment, DoubleQuoted) and _has_substitution(segment.segments):
            return True
        argument = segment.argument if isinstance(segment, Parameter) else None
        if argument is not None and _has_substitution(argument.segments):
            return True
    return False


PLAIN = re.compile(r"[\w./:=+,@%-]+")
NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
