"""Short replies as people really type them, decided by code for any model.

Guarantees:
- a clear yes with a cheer, a courtesy or an unlisted name of endearment is a yes; so is a go-ahead at the end;
- no message is a yes that orders, denies, restricts, doubts, asks, adds something, or reports speech;
- text beside a yes that names a booking or an action is passed on, to be compared with the plan;
- an ending with chatter and reasons around it drops; one that drops a part, or gives a value, does not;
- "did it work?" asks what was changed, where the message has nothing else;
- a separate undo undoes, whatever text is around it; "put it back an hour" does not.
"""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contracts.enums import ShortReply
from language.replies.short_replies import match_short_reply, short_reply
from tests.support.tables import table

YES = """
yep beauty go for it|yes gorgeous|yes chief|sì tesoro|sì, vai tranquilla|yesss|Yes!!!|👍|✅✅|👌🏽|ok 👍|yep 👍 thanks|
righto crack on|roger that|works for me, ta|yes that is all perfectly correct, thank you so much|
Everything looks good, please proceed with it|That is fine by me.|by all means|yes by all means go ahead|
I agree, please go ahead|certainly, do go ahead|Yes, kindly do so|perfetto, proceda pure con le modifiche|
sì sì va benissimo così|d'accordo, proceda|ok perfetto grazie mille|sì bella|certo cara, vai|yeah boss|
yea bro do it|yup sweetie go for it|ace, ta|spot on mate|that'll do nicely|splendid, go ahead|
yes darl lock it in|y do it|ok dai fallo|esatto capo|sì capo procedi|Assolutamente sì, procediamo|
Yes, that would be lovely|Yes, that's all in order|Absolutely, thank you kindly|hell yes|you beauty|too right|
yep do it, they're all super excited lol|yes, she just texted sorry|yes, i'll ring her back now|
sì vai, meno male che ho controllato|sì, grazie che hai controllato|yes, no worries|that's perfect, no changes|
Yes please, that is everything"""
NO_YES = """
yes, they are bringing balloons|yes, she is allergic to nuts|yes, they can't come|yes, she changed her mind|
yes, she wants 4pm|yes, they're 14 now|yes, she said leave it|yes, i think|ok, they still need the room|
yes, she cancelled|sì, lei però preferisce le 5|sì, loro portano la torta|yes, we are fourteen|
yes and also|sure and|yes also|yes but make it 5|yes if she agrees|yes for the other one|ok go to 5|
that's the one that was wrong|
sì però aspetta|yes no|yeah nah|she said yes|mum says yes|yes and nguyen|yes nguyen too|yes and move petrov|
yes, and a cake|yes with a wheelchair|yes to jane's|send it to jane|put it on hold|run it by the boss|
run it past mum|si è pentito|si e pentito|si sposta|aspetto conferma|attendo la conferma|
please confirm the time|confirm the number please|can you confirm|can you confirm the time|mi confermi l'orario|
correct it|do it differently|do it tomorrow|do it at 5|yes at noon|yes morning|yes the second|yes the first one|
sì la seconda|yes unless it rains|yes once she pays|yes before friday|yes after lunch|yes half|sure about that|
you sure|are you sure|not sure|i'm not sure|should i go ahead|when can we proceed|nothing is confirmed yet|
not confirmed|they confirmed|they haven't confirmed|jane confirmed|yes just the time|yes only the number|
yes not the note|yes without the note|yes except the note|yes a different one|yes same for petrov|
yes ditto petrov|yes he said so|yes was her answer|go ahead and ask her|go ahead without the note|
ok but first check the time|sì ma prima chiama|sì se lei conferma|va bene se arriva|va bene per petrov|
perfetto ma alle 5|yes what time is it|right so petrov|great petrov|ok petrov|good morning|right nguyen|
yes it needs a note|yes they are bringing balloons|yes and tell her|yes tell her|yes call him|
yes i think so maybe|i think yes|probably yes|yes later|yes wait|yes stop|do it again|save the cake|
yes one more|yes two|sì due|sì anche petrov|sì e petrov|sì con la torta|sì quella di petrov|dont undo that|
don't put it back|no need to ring her|forget the note|never mind the cake just do the time|
leave time as is, just the kids|leave it as it was but at 5|leave it, add a cake|don't leave it as it is|
should i leave it as it was|if she cancels leave it as it is|
No, hang on. Don't cancel it, he wants the 19th of December instead.|put it back an hour|put it back to 3pm|
move it back a bit|undo the note only|leave the time as it was|when did you put it back|non so se confermare|
non confermo|yes i want to cancel petrov|just nguyen|yes whitlock lunch|
No anzi, aspetta che ho qui il biglietto: non dopodomani ma martedì, e la nonna resta a casa|
They would also like to sit near a window, if that could be written down.|
no wait it was perfect as it was with 5|can you check it is right|tell me it's correct|it's not right|
that looks wrong|that's right next to the kitchen|going ahead with the other|lock it in for petrov|
put it through to jane|make it happen at 4|send it again|yes send her an email|
all good on my side what about you|sounds good but petrov cant|fine, whatever|the party is confirmed|
is that right|sure isn't"""
UNDO = """
undo that please|ah crap undo|that was a mistake, put it back|my mistake, please undo|wrong one, undo it|
sorry, could you revert that change?|no no rimettila com'era|ho sbagliato, annulla la modifica|
scusa, torna indietro|can you put it back the way it was|they rang again, change it back please|
she's changed her mind, put it back how it was|mi sono sbagliata, ripristina tutto|
ops, era giusto prima, rimetti com'era|
I am so sorry, I misheard him. Would you please put it back to how it was?|
Dear me, they say that the change was a mistake, so could you put it back as it was?|
bugger, he's rung back, undo that"""
DROP = """
nah leave it|she rang back, leave it as is|he changed his mind so leave it how it was|don't touch anything|
please do not go ahead|ha cambiato idea, lascia tutto com'è|no lascia stare, ha richiamato la mamma|
lasci perdere, il cliente ci ripensa|forget it, the bloke's a timewaster|hang on, dad's calling. don't do it|
Oh dear, please leave everything as it was|scrap that plan|drop the whole thing|no grazie, non fare niente|
uh no aspetta, mi sta richiamando, non toccare niente|ah hold on, she's only after ringing, leave it as it was|
Never mind, Bianca just texted, she wants to keep it as is!"""
NO_DROP = """
forget the note|never mind the cake just do the time|leave time as is, just the kids|
leave it as it was but at 5|leave it, add a cake|don't leave it as it is|should i leave it as it was|
if she cancels leave it as it is|no need to ring her|leave it at noon|leave the time as it was|
No, hang on. Don't cancel it, he wants the 19th of December instead."""
NO_UNDO = """
put it back an hour|put it back to 3pm|move it back a bit|dont undo that|don't put it back|undo the note only|
leave the time as it was|when did you put it back"""

OUTCOME = """
did it work?|did that go through|has it gone through?|ok did that work?|is it done?|was that saved?|is it all done now|
ha funzionato?|e ha funzionato?|è andata a buon fine?|è riuscito?|what did you change?|che cosa hai cambiato?"""
NO_OUTCOME = """
is it done by 5?|did it work for petrov at 4|is that booking done|è andata via|was it moved to 5?|did he go through"""


def _each(text: str) -> list[str]:
    return [" ".join(one.split()) for one in text.split("|")]


@table("message", _each(YES))
def test_a_yes_in_any_voice(message: str) -> None:
    reply = match_short_reply(message)
    assert reply is not None and reply.kind is ShortReply.YES
    assert not reply.qualifiers.names and not reply.qualifiers.does


@table("message", _each(NO_YES))
def test_what_is_no_yes(message: str) -> None:
    reply = match_short_reply(message)
    assert reply is None or reply.kind not in (ShortReply.YES, ShortReply.YES_CANCEL)


@pytest.mark.parametrize(
    ("message", "names", "strange", "does"),
    [
        ("yes nguyen", (), ("nguyen",), ()),
        ("Yes, Nguyen", ("nguyen",), (), ()),
        ("sure, the smith one", ("smith",), (), ()),
        ("yes, move nguyen", ("nguyen",), (), ("date", "time")),
        ("Thank you kindly. Yes, please go ahead with moving the playgroup.", ("playgroup",), (), ("date", "time")),
        ("yes do the christening", ("christening",), (), ()),
        ("confirm the cancellation", (), (), ("cancel",)),
        ("s\u00ec, scrivilo pure", (), (), ("count", "note")),
    ],
)
def test_what_a_yes_speaks_of_is_handed_on(
    message: str, names: tuple[str, ...], strange: tuple[str, ...], does: tuple[str, ...]
) -> None:
    reply = match_short_reply(message)
    assert reply is not None and reply.kind is ShortReply.YES
    assert (reply.qualifiers.names, reply.qualifiers.strange, reply.qualifiers.does) == (names, strange, does)
    assert short_reply(message) is None, "whatever the plan, it is no bare yes"


@table("message", _each(OUTCOME))
def test_a_question_of_how_it_went(message: str) -> None:
    assert short_reply(message) is ShortReply.WHAT_CHANGED


@table("message", _each(NO_OUTCOME))
def test_what_is_no_question_of_how_it_went(message: str) -> None:
    reply = match_short_reply(message)
    assert reply is None or reply.kind is not ShortReply.WHAT_CHANGED


@table("message", _each(DROP))
def test_an_end_with_its_reasons(message: str) -> None:
    assert short_reply(message) in (ShortReply.NO, ShortReply.UNDO), message


@table("message", _each(NO_DROP))
def test_what_drops_a_part_or_gives_a_value_is_no_end(message: str) -> None:
    assert match_short_reply(message) is None


@pytest.mark.parametrize(
    ("message", "does"),
    [
        ("no don't cancel it", ("cancel",)),
        ("non annullarla, vengono lo stesso", ("cancel",)),
        ("One moment, please, his daughter says that the others would still like to come, so do not cancel it.",
         ("cancel",)),
        ("actually don't move it", ("date", "time")),
    ],
)  # fmt: skip
def test_sparing_a_booking_drops_only_a_plan_that_would_do_it(message: str, does: tuple[str, ...]) -> None:
    reply = match_short_reply(message)
    assert reply is not None and (reply.kind, set(reply.qualifiers.does)) == (ShortReply.NO, set(does))


@table("message, kind", [
    ("cancel the booking", None), ("please cancel the booking", None), ("yes, cancel it", ShortReply.YES_CANCEL),
    ("yes, and cancel the booking", ShortReply.YES_CANCEL), ("yes. And cancel the booking", ShortReply.YES_CANCEL),
    ("cancel the change", ShortReply.CANCEL), ("no, cancel that", ShortReply.CANCEL),
])  # fmt: skip
def test_cancelling_the_booking_is_an_order_of_its_own(message: str, kind: ShortReply | None) -> None:
    reply = match_short_reply(message)
    assert (reply.kind if reply is not None else None) is kind
    if reply is not None:
        assert reply.qualifiers.does == (("cancel",) if "booking" in message else ()), (
            "it confirms only a plan that cancels"
        )


@table("message", _each(UNDO))
def test_an_undo_with_its_reasons(message: str) -> None:
    assert short_reply(message) is ShortReply.UNDO


@pytest.mark.parametrize("message", _each(NO_UNDO))
def test_what_is_no_undo(message: str) -> None:
    assert short_reply(message) is not ShortReply.UNDO


@table("message", ["", "  ", "...", "thank you", "grazie", "\U0001f389", "-", "?", "oh", "5"])
def test_what_says_nothing_is_no_reply(message: str) -> None:
    assert match_short_reply(message) is None


@given(st.text(max_size=60))
def test_no_text_is_too_much_and_no_figure_is_agreed_to(message: str) -> None:
    reply = match_short_reply(message)
    assert reply is None or reply.kind is not ShortReply.YES or not any(char.isdigit() for char in message)


def test_an_undo_of_a_thing_is_of_a_plan_that_set_it() -> None:
    reply = match_short_reply("Mi scuso, va ripristinato il numero precedente.")
    assert reply is not None and reply.kind is ShortReply.UNDO
    assert set(reply.qualifiers.does) == {"count", "phone"}


@pytest.mark.parametrize("message", ["fa niente", "non fa niente", "fa nulla", "la lasci", "annulla tutto"])
def test_each_of_a_long_list_is_a_no(message: str) -> None:
    """A list over several lines once lost the phrase at a line's end."""
    found = match_short_reply(message)
    assert found is not None and found.kind is ShortReply.NO
