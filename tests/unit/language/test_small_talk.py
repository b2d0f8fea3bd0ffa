"""Thanks with praise ask for nothing; thanks with a name, a figure or an order are no small talk."""

import pytest

from language.replies.message_reading import small_talk


@pytest.mark.parametrize(
    "text", ["Grazie, sei un angelo", "You rock, thanks!!", "thanks you're a star", "grazie mille", "cheers mate"]
)
def test_thanks_with_praise(text: str) -> None:
    assert small_talk(text) == "thanks"


@pytest.mark.parametrize(
    "text", ["thanks nguyen", "siobhan thanks", "thanks, you can cancel it", "grazie sei", "thanks you said 5"]
)
def test_thanks_with_more(text: str) -> None:
    assert small_talk(text) is None
