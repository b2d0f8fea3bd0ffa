"""Plain typed assent, decided by code: closed lists of a bare yes or no, in English and Italian.

Guarantees:
- what people type for yes and no is understood whatever its case, punctuation, accents and spacing;
- anything more than that, a condition, a correction, a question, a mixture, is None: a message for the planner;
- words that would do harm if guessed ("cancel" may mean the booking) are None.
"""

from hypothesis import given, settings
from hypothesis import strategies as st

from language.replies import polarity
from language.replies.polarity import Word, bare_word
from tests.support.tables import table

YES = """
yes|y|please do|confirm plan|Yes!|YES|yes.|yep|yeah|yes please|Yes, please|yes, do it|do it|go ahead|Yes — go ahead|
confirm|Confirm.|ok|OK!|okay|sure|looks good|Looks good, do it|sounds good|that's right|That’s right|correct|approved|
go for it|yes 👍|  yes  |sì|Sì!|si|SÌ|sì, grazie|sì, procedi|confermo|conferma|procedi|va bene|fallo|perfetto|certo|
d'accordo|D’accordo|
yes, looks good|ok perfect, go ahead|yes please, thanks|please confirm|great, thank you|yes yes|sì, va bene|
ok va bene, procedi|sì grazie mille|perfetto, confermo|va bene, per favore"""
NO = """
no|No.|NO!|n|nope|no thanks|no thank you|don't|Don’t do it|do not|stop|never mind|nevermind|forget it|discard|drop it|
leave it|no, cancel|no grazie|lascia stare|lascia perdere|annulla tutto|non farlo|fermati|
no, stop it please|no no|no, non confermare|no, lascia perdere, grazie"""
MORE = """
|yes but at 4|yes, but make it 14|no, 5pm|no 5pm|yes and add a note|yes to the first one|ok so what about Emma|yes 2|
yes no|no yes|yes or no|not yes|no problem|yes?|ok?|confirm?|no?|sure?|is that right|maybe|cancel|cancel it|undo|
confirm booking 8231|I said yes|yesterday|yes, john@example.com|si ma alle 4|no, alle 17|sì e aggiungi una nota|
va bene alle 5|certo che no|annulla|👍|...|?|1|nobody|none|north|okra|yes½|yes do it tomorrow|no, the other one|
thanks|please|grazie|ok no|no ok|cancel please|yes, cancel|ok but wait|va bene, anzi no|yes yes yes yes yes yes"""


LISTED = {
    word
    for phrases in (polarity._ASSENTS, polarity._REFUSALS, polarity._POLITE)
    for message in phrases
    for word in message.split()
}


def each(text: str) -> list[str]:
    """Return the messages between bars; a line break only makes the table fit the page."""
    return text.replace("\n", "").split("|")


@table("message", each(YES))
def test_a_bare_yes(message: str) -> None:
    assert bare_word(message) is Word.YES


@table("message", each(NO))
def test_a_bare_no(message: str) -> None:
    assert bare_word(message) is Word.NO


@table("message", each(MORE))
def test_anything_more_is_a_message_for_the_planner(message: str) -> None:
    assert bare_word(message) is None


def test_a_decomposed_accent_is_the_same_word() -> None:
    assert bare_word("si\u0300") is Word.YES


@settings(deadline=None)
@given(
    word=st.sampled_from(["yes", "ok", "confirm", "sì", "va bene", "no", "stop", "non farlo"]),
    extra=st.from_regex(r"[0-9]{1,4}|[b-mo-xz]{4,9}", fullmatch=True),
    first=st.booleans(),
)
def test_a_number_or_another_word_beside_it_is_never_assent(word: str, extra: str, first: bool) -> None:
    if extra not in LISTED:
        assert bare_word(f"{extra} {word}" if first else f"{word}, {extra}") is None


@settings(deadline=None)
@given(st.text(max_size=40))
def test_whatever_is_typed_nothing_raises(message: str) -> None:
    assert bare_word(message) in (Word.YES, Word.NO, None)
