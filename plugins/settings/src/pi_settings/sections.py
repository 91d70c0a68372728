"""Reading a section as its owner's model, leaving out what the model refuses.

Models are dataclasses of `pi_api.settings.setting` fields, or pydantic models. pydantic is imported here, when a
section of which something is set is first read; never at start-up.
"""

from dataclasses import MISSING, dataclass, fields, is_dataclass, replace
from difflib import get_close_matches
from importlib import import_module
from typing import TYPE_CHECKING, Any, TypeVar, get_type_hints

from pi_api import PiError
from pydantic import BaseModel, ConfigDict, Field, ValidationError, create_model
from pydantic.alias_generators import to_camel

from pi_settings.layers import Source, Tree, holds, lookup, merged, without
from pi_settings.paths import Keys, join

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails

M = TypeVar("M")

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


def model_of(dotted: str) -> type:
    """The model a settings section names as `package.module:Class`; `PiError` when there is none."""
    module, _, name = dotted.partition(":")
    try:
        model = getattr(import_module(module), name)
    except (ImportError, AttributeError) as error:
        raise PiError(f"the settings model {dotted!r} cannot be imported: {error}; reinstall its plugin") from error
    if not (isinstance(model, type) and (is_dataclass(model) or issubclass(model, BaseModel))):
        raise PiError(f"the settings model {dotted!r} is no dataclass or pydantic model; its plugin is at fault")
    return model


def schema_of(model: type[Any]) -> type[BaseModel]:
    """What checks the values of a model: a pydantic model is its own, one is made for a dataclass."""
    if issubclass(model, BaseModel):
        return model
    hints = get_type_hints(model)
    wanted: dict[str, Any] = {
        item.name: (_checked(hints[item.name]), Field(default=_default(item), **item.metadata))
        for item in fields(model)
    }
    config = ConfigDict(extra="forbid", alias_generator=to_camel, populate_by_name=True)
    return create_model(model.__name__, __config__=config, **wanted)


def _checked(hint: Any) -> Any:
    return schema_of(hint) if isinstance(hint, type) and is_dataclass(hint) else hint


def _default(item: Any) -> Any:
    value = item.default_factory() if item.default is MISSING else item.default
    return schema_of(type(value))() if is_dataclass(value) and not isinstance(value, type) else value


def _made(model: type[M], checked: BaseModel) -> M:
    """The owner's own kind of value from one that has been checked."""
    if not is_dataclass(model):
        return checked  # type: ignore[return-value]
    hints = get_type_hints(model)
    values = {name: getattr(checked, name) for name in type(checked).model_fields}
    nested = {name: _made(hints[name], value) for name, value in values.items() if isinstance(value, BaseModel)}
    return model(**{**values, **nested})


def read(model: type[M], section: Keys, sources: list[Source]) -> tuple[M, list[Problem]]:
    """An instance of the model from the layers, lowest first, and what had to be left out to make it.

    A value the model refuses is taken out of the layer it stands in, so the layer below gets its say.
    """
    schema = schema_of(model)
    problems: list[Problem] = []
    shares = [_share(source, section, schema, problems) for source in sources]
    while True:
        try:
            return _made(model, schema.model_validate(merged([share.tree for share in shares]))), problems
        except ValidationError as error:
            details = error.errors(include_url=False)
        refused = _refused(details, merged([share.tree for share in shares]))
        if not refused:
            problems.extend(_disagreement(section, shares, details))
            return model(), problems
        for keys, detail in refused.items():
            index = max((i for i, share in enumerate(shares) if holds(share.tree, keys)), default=None)
            if index is not None:
                problems.append(_problem(detail, section, keys, shares[index], schema))
                shares[index] = replace(shares[index], tree=without(shares[index].tree, keys))


def field_names(model: type[BaseModel]) -> list[str]:
    """The keys a model reads, as they are written in settings."""
    return [field.alias or name for name, field in model.model_fields.items()]


def defaults(model: type) -> Tree:
    """What a model says when nothing is set, as JSON."""
    return schema_of(model)().model_dump(mode="json", by_alias=True)


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
