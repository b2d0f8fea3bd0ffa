"""Thanks with praise ask for nothing; thanks with a name, a figure or an order are no small talk."""

import pytest

from language.small_talk import small_talk


@pytest.mark.parametrize(
    "said", ["Grazie, sei un angelo", "You rock, thanks!!", "thanks you're a star", "grazie mille", "cheers mate"]
)
def test_thanks_with_praise(said: str) -> None:
    assert small_talk(said) == "thanks"


@pytest.mark.parametrize(
    "said", ["thanks nguyen", "siobhan thanks", "thanks, you can cancel it", "grazie sei", "thanks you said 5"]
)
def test_thanks_with_more(said: str) -> None:
    assert small_talk(said) is None
