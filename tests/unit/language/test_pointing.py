"""Words that point at a day or an hour spoken of before, in either language; a day or an hour of their own is none."""

import pytest

from language.pointing import points_back


@pytest.mark.parametrize(
    "said",
    [
        "great, move bellini to then", "put her in there", "that slot works for the scouts", "book them in then",
        "metti lì ostrowski", "mettila a quell'ora", "allora ci mettiamo i rossi", "quel giorno va bene per i bianchi",
    ],
)  # fmt: skip
def test_it_points_back(said: str) -> None:
    assert points_back(said)


@pytest.mark.parametrize("said", ["move bellini to 4pm", "yes", "sposta rossi alle 16", "who is coming on saturday?"])
def test_it_does_not(said: str) -> None:
    assert not points_back(said)
