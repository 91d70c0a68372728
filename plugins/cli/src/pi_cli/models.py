"""Choosing a model: what the command line, the session, the settings and the installed providers say, in that order."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches

from pi_api import Model, ThinkingLevel, UsageError
from pi_api.provider import Provider

_DATED = re.compile(r"-(\d{8}|\d{4}-\d{2}-\d{2})$")


@dataclass(frozen=True, slots=True)
class Choice:
    """A model and the thinking level to start with; `note` says what could not be had as asked."""

    model: Model
    thinking: ThinkingLevel
    note: str = ""


@dataclass(frozen=True, slots=True)
class Wish:
    """What somebody asked for; empty fields leave it open."""

    provider: str = ""
    model: str = ""
    thinking: str = ""


def choose(
    providers: Sequence[Provider], env: Mapping[str, str], asked: Wish, remembered: Wish, settings: Wish
) -> Choice:
    """The model to start with.

    `asked` (command line) must be met, `UsageError` says why it cannot be. `remembered` (the session's last model) and
    `settings` are met when their provider can be used now; else the first usable provider's first model is taken, one
    that is a last resort only when there is no other.
    """
    if asked.provider or asked.model:
        model, level = resolve(_of_provider(providers, asked.provider), asked.model)
        return Choice(model, _level(asked.thinking or level or remembered.thinking or settings.thinking, model))
    usable = [provider for provider in providers if provider.unavailable(env) is None]
    usable.sort(key=lambda provider: provider.last_resort)
    note = ""
    for wish in (remembered, settings):
        if not (wish.provider or wish.model):
            continue
        found = _wished(usable, wish)
        if found:
            return Choice(found, _level(asked.thinking or remembered.thinking or settings.thinking, found), note)
        note = note or f"{_name(wish)} cannot be used now"
    if not usable or not usable[0].models():
        raise UsageError("no provider can be used; install pi-provider-offline, or give a provider its key")
    model = usable[0].models()[0]
    if note:
        note += f"; this session goes on with {model.reference}"
    return Choice(model, _level(asked.thinking or remembered.thinking or settings.thinking, model), note)


def resolve(models: Sequence[Model], pattern: str) -> tuple[Model, str]:
    """The model a pattern stands for, and the thinking level after its colon ("" when it has none).

    Exact `provider/id` or id first, then part of either; of several the one without a date, else the latest, wins.
    """
    if not models:
        raise UsageError("no models are installed; install a provider such as pi-provider-anthropic")
    if not pattern:
        return models[0], ""
    found = _match(models, pattern)
    if found is not None:
        return found, ""
    head, colon, level = pattern.rpartition(":")
    if colon and (found := _match(models, head)) is not None:
        if level not in tuple(ThinkingLevel):
            raise UsageError(f"{level!r} is no thinking level; use one of {', '.join(ThinkingLevel)}")
        return found, level
    close = get_close_matches(pattern, [model.reference for model in models] + [model.id for model in models], n=1)
    hint = f"did you mean {close[0]}?" if close else "`pi --list-models` lists them"
    raise UsageError(f"no model matches {pattern!r}; {hint}")


def _match(models: Sequence[Model], pattern: str) -> Model | None:
    exact = [model for model in models if pattern in (model.reference, model.id)]
    if len({model.provider for model in exact}) > 1:
        raise UsageError(f"{pattern!r} is given by several providers; say which: {_references(exact)}")
    if exact:
        return exact[0]
    part = pattern.lower()
    partial = [model for model in models if part in model.reference.lower() or part in model.name.lower()]
    undated = [model for model in partial if not _DATED.search(model.id)]
    if undated:
        return undated[0]
    return max(partial, key=lambda model: model.id, default=None)


def _of_provider(providers: Iterable[Provider], name: str) -> list[Model]:
    wanted = [provider for provider in providers if name in ("", provider.name)]
    if name and not wanted:
        raise UsageError(f"no provider {name!r}; installed are {', '.join(p.name for p in providers) or 'none'}")
    return [model for provider in wanted for model in provider.models()]


def _wished(usable: Sequence[Provider], wish: Wish) -> Model | None:
    for provider in usable:
        if wish.provider in ("", provider.name):
            for model in provider.models():
                if wish.model in ("", model.id):
                    return model
    return None


def _level(text: str, model: Model) -> ThinkingLevel:
    if text and text not in tuple(ThinkingLevel):
        raise UsageError(f"{text!r} is no thinking level; use one of {', '.join(ThinkingLevel)}")
    return model.clamp(ThinkingLevel(text or model.default_thinking_level or ThinkingLevel.OFF))


def _name(wish: Wish) -> str:
    return "/".join(filter(None, (wish.provider, wish.model)))


def _references(models: Sequence[Model]) -> str:
    return ", ".join(model.reference for model in models)


def model_table(providers: Sequence[Provider], env: Mapping[str, str], part: str) -> str:
    """Models that can be used now, with window, output limit, reasoning and images; then what is missing for others."""
    rows = [("provider", "model", "context", "max out", "thinking", "images")]
    missing = []
    for provider in providers:
        if reason := provider.unavailable(env):
            missing.append(f"{provider.name}: {reason}")
            continue
        rows += [_row(model) for model in provider.models() if part.lower() in model.reference.lower()]
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]
    return "\n".join([*lines, *([""] if missing else []), *missing])


def _row(model: Model) -> tuple[str, str, str, str, str, str]:
    yes_no = ("no", "yes")
    return (
        model.provider,
        model.id,
        _thousands(model.context_window),
        _thousands(model.max_tokens),
        yes_no[model.reasoning],
        yes_no["image" in model.input],
    )


def _thousands(tokens: int) -> str:
    return f"{tokens / 1_000_000:g}M" if tokens >= 1_000_000 else f"{tokens / 1000:g}K"
