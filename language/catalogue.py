"""The message catalogue: every sentence of ours that an operator reads, by key and locale.

Sentences are Jinja2 templates in `messages/<language>.toml`; a third language is a new file with the same keys (a test
keeps the files in step). A locale without a file speaks English. What a pack says for itself (titles, previews,
refusals of its venue) stands in its overlays, in the pack's own language.
"""

import tomllib
from contextvars import ContextVar
from pathlib import Path

from jinja2 import Environment, StrictUndefined, Template

_FOLDER = Path(__file__).parent / "messages"
_FALLBACK = "en"


class UnknownMessageError(KeyError):
    """No sentence has this key: a mistake in code, not in what somebody said."""


def _plural(count: float, one: str, many: str) -> str:
    """The form that goes with a count. English and Italian share the rule (CLDR: one, other)."""
    return one if count == 1 else many


def _read(language: str) -> dict[str, str]:
    found = tomllib.loads((_FOLDER / f"{language}.toml").read_text(encoding="utf-8"))
    return {f"{section}.{name}": text for section, rows in found.items() for name, text in rows.items()}


class _Plain(str):
    """A sentence without a value in it, as most are: compiling it to a template costs a millisecond for nothing."""

    def render(self, _: object) -> str:
        """The sentence."""
        return str(self)


def _compiled() -> dict[str, dict[str, Template | _Plain]]:
    environment = Environment(undefined=StrictUndefined, autoescape=False)
    environment.filters["plural"] = _plural
    return {
        language: {
            key: environment.from_string(source) if "{" in source else _Plain(source.removesuffix("\n"))
            for key, source in rows.items()
        }
        for language, rows in _MESSAGES.items()
    }


_MESSAGES = {path.stem: _read(path.stem) for path in sorted(_FOLDER.glob("*.toml"))}
_TEMPLATES = _compiled()
"""Read and compiled when imported: workflows, which may neither read files nor take locks, only render."""


def languages() -> tuple[str, ...]:
    """The languages that have a file."""
    return tuple(_MESSAGES)


def messages(language: str) -> dict[str, str]:
    """A language's sentences by key, "section.name"."""
    return _MESSAGES[language]


_SPOKEN: ContextVar[str] = ContextVar("spoken", default=_FALLBACK)


def speak(locale: str) -> None:
    """Bind the language: from here on `say` speaks that locale. Whatever is entered from outside and says something
    does so first: a request, an activity, a plan's run, each update of a workflow (a task of its own)."""
    _SPOKEN.set(locale)


def spoken() -> str:
    """The locale that is bound here."""
    return _SPOKEN.get()


def say(key: str, **values: object) -> str:
    """A sentence in the language that is spoken. Raises `UnknownMessageError`, `jinja2.UndefinedError` for a value not
    given."""
    language = spoken().split("-", maxsplit=1)[0].lower()
    template = _TEMPLATES.get(language, _TEMPLATES[_FALLBACK]).get(key)
    if template is None:
        raise UnknownMessageError(key)
    return template.render(values)
