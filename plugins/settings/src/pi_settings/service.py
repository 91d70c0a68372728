"""The settings of this process: which layers there are, and what they say together."""

import json
from collections.abc import Callable, Sequence
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from pi_api import UsageError
from pi_api.codec import camel
from pi_api.kinds import SETTINGS_SECTIONS
from pi_api.settings import Origin, Scope, SettingsSection

from pi_settings.edit import with_value, without_value
from pi_settings.files import SettingsFile, change, read
from pi_settings.layers import Source, holds, leaves, lookup, merged, nested
from pi_settings.paths import Keys, join, split

if TYPE_CHECKING:
    from pi_kernel import Kernel

    from pi_settings.sections import Problem

M = TypeVar("M")

FILE_NAME = "settings.json"
PROJECT_FOLDER = ".pi"
NEW_VALUE = "the new value"


class LayeredSettings:
    """`pi_api.Settings` over `<agent folder>/settings.json`, `.pi/settings.json`, environment and flags.

    Files are read when something is first asked for. Problems are kept per file and section: asking twice, one problem.
    """

    def __init__(self, kernel: "Kernel") -> None:
        self._kernel = kernel
        self._user_path = kernel.agent_dir / FILE_NAME
        self._user: SettingsFile | None = None
        self._project: SettingsFile | None = None
        self._project_refusal = "no project has been opened"
        self._flags: list[Source] = []
        self._found: dict[str, list[Problem]] = {}
        self._broken: dict[str, str] = {}

    @property
    def refused(self) -> Sequence[str]:
        """The values left out so far because their owners refuse them."""
        return [str(problem) for problems in self._found.values() for problem in problems]

    @property
    def problems(self) -> Sequence[str]:
        files = [file.problem for file in (self._user_file(), self._project) if file is not None and file.problem]
        conflicts = [str(conflict) for conflict in self._kernel.registry.conflicts(SETTINGS_SECTIONS)]
        return [*files, *conflicts, *self._broken.values(), *self.refused]

    def read(self, section: str, model: type[M]) -> M:
        keys, sources = _section_keys(section), self._sources()
        if is_dataclass(model) and not _anything_set(model, keys, sources):
            return model()
        from pi_settings import sections

        value, problems = sections.read(model, keys, sources)
        self._found[f"{section} {model.__qualname__}"] = problems
        return value

    def get(self, path: str, scope: Scope | None = None) -> Any:
        if scope is not None:
            file = self._user_file() if scope == "user" else self._project
            return lookup(file.tree, split(path)) if file else None
        return lookup(merged([source.tree for source in self._sources()]), split(path))

    def explain(self, path: str = "") -> Sequence[Origin]:
        keys = split(path)
        sources = [*self._defaults(), *self._sources()]
        found: list[Origin] = []
        for leaf, value in leaves(merged([source.tree for source in sources])):
            if leaf[: len(keys)] == keys or keys[: len(leaf)] == leaf:
                source = next(source for source in reversed(sources) if holds(source.tree, leaf))
                found.append(Origin(join(leaf), value, source.layer, source.origin))
        return found

    def set(self, path: str, value: Any, scope: Scope = "user") -> None:
        keys = split(path)
        if not keys:
            raise UsageError("name the setting to change, such as bash.timeout")
        self._validate(keys, value)
        self._change(scope, lambda file: with_value(file.body, keys, value))

    def change(self, path: str, make: Callable[[Any], Any], scope: Scope = "user") -> None:
        keys = split(path)

        def edit(file: SettingsFile) -> str:
            value = make(lookup(file.tree, keys))
            self._validate(keys, value)
            return with_value(file.body, keys, value)

        self._change(scope, edit)

    def unset(self, path: str, scope: Scope = "user") -> bool:
        keys = split(path)
        if not keys:
            raise UsageError("name the setting to remove, such as bash.timeout")
        if not holds(self._file(scope).tree, keys):
            return False
        self._change(scope, lambda file: without_value(file.body, keys) if holds(file.tree, keys) else file.body)
        return True

    def use_project(self, cwd: str, *, trusted: bool) -> None:
        path = Path(cwd, PROJECT_FOLDER, FILE_NAME)
        own = path.exists() and self._user_path.exists() and path.samefile(self._user_path)
        self._project = read(path) if trusted and not own else None
        self._project_refusal = f"{cwd} is not trusted; approve it first with `pi trust yes`"
        if own:
            self._project_refusal = f"{path} is your own settings file"

    def use_flags(self, values: dict[str, Any]) -> None:
        self._flags = [Source("flag", nested(split(path), value), "command line") for path, value in values.items()]

    # -- layers ----------------------------------------------------------------------------------------------------

    def _sources(self) -> list[Source]:
        files: list[Source] = [Source("user", self._user_file().tree, str(self._user_path))]
        if self._project is not None:
            files.append(Source("project", self._project.tree, str(self._project.path)))
        return [*files, *self._environment(), *self._flags]

    def _environment(self) -> list[Source]:
        env = self._kernel.env
        return [
            Source("env", nested((*_section_keys(section.name), *split(path)), _parsed(env[name])), f"${name}")
            for section in self._sections()
            for name, path in section.env
            if env.get(name)
        ]

    def _defaults(self) -> list[Source]:
        from pi_settings import sections

        found: list[Source] = []
        for section in self._sections():
            # A model is its plugin's code: whatever it raises must not hide what the other sections say.
            try:
                tree = sections.defaults(sections.model_of(section.model))
            except Exception as error:
                self._broken[section.name] = f"the defaults of section {section.name!r} cannot be told: {error}"
            else:
                found.append(Source("default", nested(_section_keys(section.name), tree)))
        return found

    def _sections(self) -> list[SettingsSection]:
        return [found.value for found in self._kernel.all(SETTINGS_SECTIONS)]

    def _user_file(self) -> SettingsFile:
        if self._user is None:
            self._user = read(self._user_path)
        return self._user

    def _file(self, scope: Scope) -> SettingsFile:
        if scope == "user":
            return self._user_file()
        if self._project is None:
            raise UsageError(f"there are no project settings to change: {self._project_refusal}")
        return self._project

    # -- changing --------------------------------------------------------------------------------------------------

    def _validate(self, keys: Keys, value: Any) -> None:
        """`UsageError` when the setting's owner would leave the new value out; without an owner all is accepted."""
        from pi_settings import sections

        top = Source("flag", nested(keys, value), NEW_VALUE)
        for section in self._sections():
            own = _section_keys(section.name)
            if keys[: len(own)] != own:
                continue
            model = sections.model_of(section.model)
            _, problems = sections.read(model, own, [*self._sources(), top])
            for problem in problems:
                if problem.source.origin == NEW_VALUE:
                    raise UsageError(f"{join(problem.keys)}: {problem.text}; nothing was written")

    def _change(self, scope: Scope, edit: Callable[[SettingsFile], str]) -> None:
        path = self._file(scope).path
        changed = change(path, self._lock(path), edit)
        if scope == "user":
            self._user = changed
        else:
            self._project = changed
        self._found.clear()

    def _lock(self, path: Path) -> Path:
        """A lock of its own for every settings file, kept out of projects: nobody wants it in a repository."""
        from hashlib import sha256

        name = sha256(str(path.resolve()).encode()).hexdigest()[:16]
        return self._kernel.agent_dir / "state" / "locks" / f"settings-{name}.lock"


def _anything_set(model: type, section: Keys, sources: Sequence[Source]) -> bool:
    """Whether any layer says anything about a section: if none does, nothing needs to be checked."""
    if section:
        return any(holds(source.tree, section) for source in sources)
    names = {camel(item.name) for item in fields(model)} | {item.name for item in fields(model)}
    return any(names & source.tree.keys() for source in sources)


def _section_keys(name: str) -> Keys:
    return (name,) if name else ()


def _parsed(text: str) -> Any:
    """A variable's value: JSON where it is an array or an object, else the text, which models convert."""
    if text[:1] in ("[", "{"):
        try:
            return json.loads(text)
        except ValueError:
            return text
    return text
