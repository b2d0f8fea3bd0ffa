"""A rule's needs are derived from its pattern, and skipping a rule by them never loses a reading."""

from __future__ import annotations

import re

import pytest

from language.dates.rules import required_symbols, when_rules
from language.locales import SUPPORTED, get_locale
from language.text.lexer import lex


def test_needs_are_what_stands_outside_of_options() -> None:
    assert required_symbols(r"(?:THE )?LAST Ud (?:OF|IN) [Mm](\d)") == (("LAST",), ("IN", "OF"), ("M", "m"))
    assert required_symbols(r"(?P<a>[0-9]{1,2})(?: PAST)?") == ()
    assert required_symbols(r"NOON|MIDNIGHT") == ()
    assert required_symbols(r"A (?=B)C(?!D)(?:E|[0-9])") == (("A",), ("C",))


@pytest.mark.parametrize("locale", SUPPORTED)
def test_what_matches_holds_what_its_rule_needs(locale: str) -> None:
    """Over every word of the language in rows of several, so that a wrong need of any rule shows."""
    lexicon = get_locale(locale)
    words = [word for word in lexicon.words if word.isalpha()]
    rows = [lex(f"{one} {two} 5 {one} 12 {three}", lexicon).line
            for one, two, three in zip(words, words[7:], words[19:], strict=False)]  # fmt: skip
    read = 0
    for rule in when_rules(lexicon):
        for line in rows:
            for match in re.finditer(rule.pattern, line):
                read += 1
                assert all(any(word in match.group() for word in words) for words in rule.needs), rule
    assert read > len(rows)
