"""How English inflects, see `language.vocabulary.thesaurus` and `language.vocabulary.thesaurus`."""

from collections.abc import Iterator

STEMMER = "english"
"""The name of its Snowball stemmer."""


def forms(word: str) -> Iterator[str]:
    """Return the regular forms of a verb."""
    stems = [word]
    if word.endswith("e"):
        stems = [word[:-1]]
    elif word[-1] not in "aeiouwxyh" and word[-2] in "aeiou" and word[-3] not in "aeiou":
        stems.append(word + word[-1])
    yield word + ("es" if word.endswith(("s", "x", "ch", "sh")) else "s")
    for stem in stems:
        yield stem + "ing"
        yield stem + "ed"
