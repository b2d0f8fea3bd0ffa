"""Questions with courtesies, an address or reasons around them are questions; orders in their shape are orders."""

import pytest

from tests.unit.offline_planner.chat import Chat


@pytest.mark.parametrize(
    ("language", "text", "looked_for"),
    [
        ("en", "Could you possibly tell me at what time we are to expect the Marsh club?", {"keywords": "Marsh club"}),
        ("en", "Forgive me, but on which day is the Marsh visit to take place?", {"keywords": "Marsh"}),
        ("en", "any idea how many in marsh", {"keywords": "marsh"}),
        ("en", "could you remind me who's in on thursday please", {"date": "2026-11-26"}),
        ("en", "what's on this wednesday?", {"date": "2026-11-25"}),
        ("en", "anything on the 25th", {"date": "2026-11-25"}),
        ("en", "how busy are we on wednesday 25 november?", {"date": "2026-11-25"}),
        ("it", "cosa abbiamo mercoled\u00ec 25?", {"date": "2026-11-25"}),
        ("it", "Mi pu\u00f2 dire quante persone sono previste per Ada Bassi?", {"keywords": "Ada Bassi"}),
        ("it", "Pu\u00f2 indicarmi chi arriva mercoled\u00ec 25?", {"date": "2026-11-25"}),
        ("it", "scusa tesoro, quando viene bassi?", {"keywords": "bassi"}),
    ],
)
def test_a_question_is_answered_by_a_look_up(language: str, text: str, looked_for: dict[str, str]) -> None:
    chat = Chat(language=language)
    assert chat.say(text) == []
    assert looked_for in [call.arguments for call in chat.looked_up]


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "could you move marsh to 4 when you can?"),
        ("en", "could you tell me when marsh is and move it to 4"),
        ("it", "la Bassi me la sposti alle quattro e mezza?"),
        ("it", "Bassi, la metti alle 15?"),
    ],
)
def test_an_order_in_the_shape_of_a_question_is_an_order(language: str, text: str) -> None:
    assert [call.name for call in Chat(language=language).say(text)] == ["reschedule_booking"]
