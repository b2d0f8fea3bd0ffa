"""Words that refer to a day or an hour mentioned before, in either language; a stated day or hour is no such
reference."""

import pytest

from language.requests.cues import has_anaphora


@pytest.mark.parametrize(
    "text",
    [
        "great, move bellini to then", "put her in there", "that slot works for the scouts", "book them in then",
        "metti lì ostrowski", "mettila a quell'ora", "allora ci mettiamo i rossi", "quel giorno va bene per i bianchi",
    ],
)  # fmt: skip
def test_it_points_back(text: str) -> None:
    assert has_anaphora(text)


@pytest.mark.parametrize("text", ["move bellini to 4pm", "yes", "sposta rossi alle 16", "who is coming on saturday?"])
def test_it_does_not(text: str) -> None:
    assert not has_anaphora(text)
