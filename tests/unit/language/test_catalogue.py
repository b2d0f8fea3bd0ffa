"""The message catalogue.

- Every language has exactly the same sentences, and each takes exactly the same values.
- Plural forms follow the count; a locale without a file uses English; an unknown key is an error.
- Every sentence that code requests by name exists.
- A sentence with nothing but values in its places is rendered without the template engine, with the same result.
"""

import re
from pathlib import Path

import pytest
from jinja2 import Environment, StrictUndefined, UndefinedError, meta

from infra.config.settings import ROOT
from language.messages.catalogue import UnknownMessageError, activate_locale, languages, messages, translate
from language.messages.nouns import noun
from tests.support.tables import table

ROOMS = ("workflows", "activities", "api", "reasoning")


def test_english_and_italian_have_the_same_sentences() -> None:
    assert set(languages()) >= {"en", "it"}
    for language in languages():
        assert set(messages(language)) == set(messages("en")), language


@table("key", sorted(messages("en")))
def test_every_language_takes_the_same_values(key: str) -> None:
    environment = Environment()
    environment.filters["plural"] = lambda *_: ""
    nouns = {"thing", "guest", "system"}  # always there, whether a language needs them or not
    wanted = {
        language: meta.find_undeclared_variables(environment.parse(messages(language)[key])) - nouns
        for language in languages()
    }
    assert all(values == wanted["en"] for values in wanted.values()), wanted


@pytest.mark.parametrize(
    ("locale", "seconds", "expected"),
    [
        ("en-AU", 1, "Retry in 1 second"),
        ("en", 5, "Retry in 5 seconds"),
        ("it-IT", 1, "Riprovi tra 1 secondo"),
        ("it", 5, "Riprovi tra 5 secondi"),
        ("de-DE", 5, "Retry in 5 seconds"),
    ],
)
def test_plural_forms_and_the_fallback(locale: str, seconds: int, expected: str) -> None:
    activate_locale(locale)
    assert translate("next.rate_limited", seconds=seconds) == expected


def test_an_unknown_key_is_an_error() -> None:
    with pytest.raises(UnknownMessageError):
        translate("no.such")


@pytest.mark.parametrize("language", ["en", "it"])
def test_what_is_stated_without_the_template_engine_is_what_it_would_say(language: str) -> None:
    activate_locale(language)
    engine, plain = Environment(undefined=StrictUndefined), 0
    nouns = {"guest": noun({}, "guest", language), "system": noun({}, "system", language)}
    nouns["thing"] = noun({}, "booking", language)
    for key, source in messages(language).items():
        if re.search(r"{%|{{ (?!\w+(\.\w+)? }})", source):
            continue
        names = meta.find_undeclared_variables(engine.parse(source)) - set(nouns)
        plain += bool(names)
        given = {name: (3, "a {{ b }}", None, 2.50)[i % 4] for i, name in enumerate(sorted(names))}
        assert translate(key, **given) == engine.from_string(source).render({**nouns, **given}), key
        for name in names:
            with pytest.raises(UndefinedError, match=f"'{name}' is undefined"):
                translate(key, **{other: value for other, value in given.items() if other != name})
    assert plain > 100


def test_every_sentence_that_code_names_exists() -> None:
    sections = {key.split(".")[0] for key in messages("en")}
    named = set()
    for room in ROOMS:
        for path in Path(ROOT, room).rglob("*.py"):
            named |= set(re.findall(rf'"((?:{"|".join(sections)})\.[a-z_0-9]+)"', path.read_text()))
    assert len(named) > 40
    named = {name for name in named if not name.endswith(".j2")}
    assert named <= set(messages("en")), named - set(messages("en"))


def test_operators_read_no_sentence_that_bypasses_the_catalogue() -> None:
    """Whole sentences in `message=`, `question=` or `suggestions=` belong in the catalogue."""
    pattern = re.compile(r'(?:message|question|suggestions)=\(?\[?f?"[A-Z][^"]{12,}')
    found = [
        f"{path.relative_to(ROOT)}: {match}"
        for room in ROOMS
        for path in Path(ROOT, room).rglob("*.py")
        for match in pattern.findall(path.read_text())
    ]
    assert [f for f in found if "api/routes/codec.py" not in f] == []
