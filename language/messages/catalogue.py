"""The message catalogue: every sentence of ours that an operator reads, by key and locale.

Sentences are Jinja2 templates in `locales/<language>/messages.toml`, with the same keys in each (a test
compares them). A key or a language that has none is English. What a pack says for itself (titles, previews,
refusals of its venue) stands in its overlays, in the pack's own language; its words for what it singles out, for who
comes and for its system are `thing`, `guest` and `system` in every sentence (`language/messages/nouns.py`).
"""

import re
import tomllib
from collections.abc import Mapping
from contextvars import ContextVar
from functools import cache
from pathlib import Path
from types import MappingProxyType

from jinja2 import Environment, StrictUndefined, Template, UndefinedError

from language.messages.nouns import Words, noun

_LOCALES = Path(__file__).parent.parent / "locales"
_FALLBACK = "en"


class UnknownMessageError(KeyError):
    """No sentence has this key: an error in code, not in a user's message."""


def _plural(count: float, one: str, many: str) -> str:
    """Return the form that goes with a count. English and Italian share the rule (CLDR: one, other)."""
    return one if count == 1 else many


def _read(language: str) -> dict[str, str]:
    found = tomllib.loads((_LOCALES / language / "messages.toml").read_text(encoding="utf-8"))
    return {f"{section}.{name}": text for section, rows in found.items() for name, text in rows.items()}


class _Plain(str):
    """A sentence with nothing but words and values in their places, as most are: compiling it to a template costs a
    millisecond for nothing."""

    def render(self, values: Mapping[str, object]) -> str:
        """Return the sentence. Raises as a template does."""
        if "{{" not in self:
            return str(self)
        return _PLACE.sub(lambda found: str(_value(values, *found.groups())), self)


_PLACE = re.compile(r"{{ (?:(thing|guest|system)\.(\w+)|(\w+)) }}")


def _value(values: Mapping[str, object], noun_kind: str | None, form: str | None, name: str) -> object:
    if noun_kind is not None and form is not None:
        return getattr(values[noun_kind], form)
    if name not in values:
        raise UndefinedError(f"'{name}' is undefined")
    return values[name]


_ENVIRONMENT = Environment(undefined=StrictUndefined, autoescape=False)
_ENVIRONMENT.filters["plural"] = _plural
_MESSAGES = {path.parent.name: _read(path.parent.name) for path in sorted(_LOCALES.glob("*/messages.toml"))}
"""Read when imported: workflows may not read files."""


@cache
def _template(language: str, key: str) -> Template | _Plain | None:
    """Return a sentence, compiled at first use, because a process that only loads packs needs hardly any."""
    source = _MESSAGES[language].get(key)
    if source is None:
        return None
    if "{" in _PLACE.sub("", source):
        return _ENVIRONMENT.from_string(source)
    return _Plain(source.removesuffix("\n"))


@cache
def compile_all() -> None:
    """Compile every sentence: workflows, which may not take locks, then only render (`workflows/__init__.py`)."""
    for language, rows in _MESSAGES.items():
        for key in rows:
            _template(language, key)


def languages() -> tuple[str, ...]:
    """Return the languages that have a file."""
    return tuple(_MESSAGES)


def messages(language: str) -> dict[str, str]:
    """Return a language's sentences by key, "section.name"."""
    return _MESSAGES[language]


_SPOKEN: ContextVar[str] = ContextVar("spoken", default=_FALLBACK)
_WORDS: ContextVar[Words] = ContextVar("words", default=MappingProxyType({}))
_KIND: ContextVar[str] = ContextVar("kind", default="booking")


def activate_locale(locale: str, words: Words | None = None, kind: str = "booking") -> None:
    """Set the language, the venue's words and the kind of thing of this context; `translate` uses them.

    Every entry point that writes sentences calls it first: a request, an activity, a plan's run, each update of a
    workflow, which is a task of its own."""
    _SPOKEN.set(locale)
    _WORDS.set(words or {})
    _KIND.set(kind)


def active_locale() -> str:
    """Return the locale that is bound here."""
    return _SPOKEN.get()


def translate(key: str, **values: object) -> str:
    """Return a sentence in the language that is spoken. Raises `UnknownMessageError`, `jinja2.UndefinedError` for a
    value not given."""
    language = active_locale().split("-", maxsplit=1)[0].lower()
    language = language if key in _MESSAGES.get(language, {}) else _FALLBACK
    template = _template(language, key)
    if template is None:
        raise UnknownMessageError(key)
    words = _WORDS.get()
    nouns = {kind: noun(words, kind, language) for kind in ("guest", "system")}
    nouns["thing"] = noun(words, _KIND.get(), language)
    return template.render({**nouns, **values})
