"""Reading a section as its owner's pydantic model, leaving out what the model refuses.

pydantic is imported here, when a section is first read; never at start-up.
"""

from dataclasses import dataclass, replace
from difflib import get_close_matches
from importlib import import_module
from typing import TYPE_CHECKING, Any, TypeVar

from pi_api import PiError
from pydantic import BaseModel, ValidationError

from pi_settings.layers import Source, Tree, holds, lookup, merged, without
from pi_settings.paths import Keys, join

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails

M = TypeVar("M", bound=BaseModel)

_SECRET = ("key", "token", "secret", "password")


@dataclass(frozen=True, slots=True)
class Problem:
    """A value that was left out: the layer it stood in, its keys, what is wrong with it."""

    source: Source
    keys: Keys
    text: str

    def __str__(self) -> str:
        where = f"{self.source.origin}: " if self.source.origin else ""
        return f"{where}{join(self.keys) or 'the settings'}: {self.text}; the value is left out"


def model_of(dotted: str) -> type[BaseModel]:
    """The model a settings section names as `package.module:Class`; `PiError` when there is none."""
    module, _, name = dotted.partition(":")
    try:
        model = getattr(import_module(module), name)
    except (ImportError, AttributeError) as error:
        raise PiError(f"the settings model {dotted!r} cannot be imported: {error}; reinstall its plugin") from error
    if not (isinstance(model, type) and issubclass(model, BaseModel)):
        raise PiError(f"the settings model {dotted!r} is not a pydantic model; its plugin is at fault")
    return model


def read(model: type[M], section: Keys, sources: list[Source]) -> tuple[M, list[Problem]]:
    """An instance of the model from the layers, lowest first, and what had to be left out to make it.

    A value the model refuses is taken out of the layer it stands in, so the layer below gets its say.
    """
    problems: list[Problem] = []
    shares = [_share(source, section, model, problems) for source in sources]
    while True:
        try:
            return model.model_validate(merged([share.tree for share in shares])), problems
        except ValidationError as error:
            details = error.errors(include_url=False)
        refused = _refused(details, merged([share.tree for share in shares]))
        if not refused:
            problems.extend(_disagreement(section, shares, details))
            return model(), problems
        for keys, detail in refused.items():
            index = max((i for i, share in enumerate(shares) if holds(share.tree, keys)), default=None)
            if index is not None:
                problems.append(_problem(detail, section, keys, shares[index], model))
                shares[index] = replace(shares[index], tree=without(shares[index].tree, keys))


def field_names(model: type[BaseModel]) -> list[str]:
    """The keys a model reads, as they are written in settings."""
    return [field.alias or name for name, field in model.model_fields.items()]


def defaults(model: type[BaseModel]) -> Tree:
    """What a model says when nothing is set, as JSON."""
    return model().model_dump(mode="json", by_alias=True)


def _share(source: Source, section: Keys, model: type[BaseModel], problems: list[Problem]) -> Source:
    """What one layer says about a section; of the section without a name, only what the model knows."""
    if not section:
        known = {*field_names(model), *model.model_fields}
        return replace(source, tree={key: value for key, value in source.tree.items() if key in known})
    value = lookup(source.tree, section)
    if isinstance(value, dict):
        return replace(source, tree=value)
    if holds(source.tree, section):
        problems.append(Problem(source, section, f"an object is expected, not {_shown(section, value)}"))
    return replace(source, tree={})


def _problem(detail: "ErrorDetails", section: Keys, keys: Keys, share: Source, model: type[BaseModel]) -> Problem:
    """One complaint in words that say where the value stands and what would be right."""
    if detail["type"] == "extra_forbidden":
        close = get_close_matches(keys[-1], field_names(model), n=1) if len(keys) == 1 else []
        text = "there is no such setting" + (f"; did you mean {join((*section, *close))}?" if close else "")
        return Problem(share, (*section, *keys), text)
    item = next((f"item {part}: " for part in detail["loc"][len(keys) :] if isinstance(part, int)), "")
    text = f"{item}{_lowered(detail['msg'])}, not {_shown(keys, lookup(share.tree, keys))}"
    return Problem(share, (*section, *keys), text)


def _refused(details: "list[ErrorDetails]", tree: Tree) -> "dict[Keys, ErrorDetails]":
    """The first complaint about each value of the tree; complaints about nothing in the tree are left aside."""
    refused: dict[Keys, ErrorDetails] = {}
    for detail in details:
        if keys := _keys(tree, detail["loc"]):
            refused.setdefault(keys, detail)
    return refused


def _keys(tree: Tree, loc: tuple[int | str, ...]) -> Keys:
    """How far a location leads into the tree: pydantic adds names of union members, and goes into lists."""
    keys: list[str] = []
    value: Any = tree
    for part in loc:
        if not isinstance(value, dict) or part not in value:
            break
        keys.append(str(part))
        value = value[part]
    return tuple(keys)


def _disagreement(section: Keys, shares: list[Source], details: "list[ErrorDetails]") -> list[Problem]:
    """No single value is at fault: the section as a whole is, in the highest layer that says anything."""
    text = "; ".join(_lowered(detail["msg"]) for detail in details)
    blamed = next((share for share in reversed(shares) if share.tree), None)
    return [] if blamed is None else [Problem(blamed, section, text)]


def _lowered(message: str) -> str:
    message = message.removeprefix("Value error, ").removeprefix("Assertion failed, ")
    return message[:1].lower() + message[1:]


def _shown(keys: Keys, value: Any) -> str:
    """A value short enough for a line, and hidden where it may be a secret."""
    if any(word in keys[-1].lower() for word in _SECRET):
        return "what it is"
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."
