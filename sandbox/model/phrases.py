"""Lists of words and phrases, written as one text with "|" between them."""


def phrases(text: str) -> tuple[str, ...]:
    """In the order written."""
    return tuple(said for part in text.split("|") if (said := " ".join(part.split())))


def phrase_set(text: str) -> frozenset[str]:
    """For looking up."""
    return frozenset(phrases(text))
