"""Which booking: a plan may only change one that the operator has identified.

Guarantees of `settle`, in the order it decides:
- an id that was neither found in this chat nor known is not seen, and nothing happens to it;
- a booking that the operator names by id or reference is settled, whatever the wording;
- the only match of a look-up is settled, if the operator's message has its keywords (typing slips allowed);
- of the candidates last offered, the operator's message must pick it, otherwise the question is asked again;
- a plan for all of several matches needs words that ask for all of them: "both Emma parties";
- of several matches of this turn, the operator's message must pick it, otherwise the operator is asked which; a name as
  it is written is no slip of another that the venue found beside it;
- a booking settled earlier in this chat stays settled;
- a booking found in a list that was not read to its end is asked about, however few the list shows, until it was shown
  or a complete look-up finds it, too.

Guarantees of `narrow`: reference, then full name, then place in a list that was shown, then a word, day or time that
only one candidate has; accents and case do not matter; what picks nothing narrows nothing; "the first of May" picks no
booking from a list that was never shown.
"""

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from contracts.booking import BookingSummary, FoundBookings
from language.extraction import Extraction, extract
from reasoning.drafting.booking_resolution import (
    Ambiguous,
    KnownBookings,
    Resolved,
    Unknown,
    narrow_candidates,
    resolve_booking,
)
from tests.support.tables import table
from tests.unit.reasoning.actions import a_booking, a_venue

VENUE = a_venue()
NOW = datetime(2026, 11, 21, 10, 0, tzinfo=ZoneInfo(VENUE.time_zone))
BROWN = a_booking("b-1", "Emma Brown", reference="8231", date="2026-11-28", start_time="10:00")
WHITE = a_booking("b-2", "Emma White", reference="8240", date="2026-11-28", start_time="14:30")
GREEN = a_booking("b-3", "Emma Green", reference="8255", date="2026-11-29", start_time="15:00")
EMMAS = (BROWN, WHITE, GREEN)
JOHN = a_booking("b-9", "John Smith", reference="8300", date="2026-12-01", start_time="11:00")

Verdict = Resolved | Ambiguous | Unknown


def words(*text: str) -> Extraction:
    """Return the reading of these messages, latest first, at a venue in Melbourne on a Saturday."""
    return extract(text, NOW, VENUE)


def _asked(rows: tuple[BookingSummary, ...]) -> tuple[str, ...]:
    return tuple(b.guest_name.split()[0] for b in rows[:1])


def settled(
    booking_id: str,
    text: str,
    *found: tuple[BookingSummary, ...],
    offered: tuple[BookingSummary, ...] = (),
    known: tuple[BookingSummary, ...] = (),
) -> Verdict:
    looked = [FoundBookings(rows=rows, asked=("Emma",) if rows == EMMAS else _asked(rows)) for rows in found]
    return resolve_booking(booking_id, words(text), KnownBookings(looked, offered, known))


@pytest.mark.parametrize("text", ["no sorry, not Brown, the other one", "not Brown"])
def test_a_booking_that_the_words_rule_out_is_not_meant(text: str) -> None:
    chat = KnownBookings(known=(WHITE, BROWN), spoken=("b-1",))
    assert resolve_booking("b-1", words(text, "move Emma's party to 3pm"), chat) == Ambiguous((WHITE,))
    assert resolve_booking("b-1", words("don't cancel Brown's party"), chat) == Resolved(BROWN)


@table(
    "text, beside, resolved",
    [
        ("move both emma parties to 3pm", {"b-2"}, True), ("move all of emma's bookings to 3pm", {"b-2"}, True),
        ("both", {"b-2"}, True), ("move both emma parties to 3pm", set(), False),
        ("move emma's party to 3pm", {"b-2"}, False), ("move emma's party, both kids are ill", {"b-2"}, False),
    ],
)  # fmt: skip
def test_a_plan_for_both_needs_the_words_for_it(text: str, beside: set[str], resolved: bool) -> None:
    chat = KnownBookings([FoundBookings(rows=(BROWN, WHITE), asked=("Emma",))])
    found = resolve_booking("b-1", words(text), chat, used={"15:00"}, beside=beside)
    assert found == (Resolved(BROWN) if resolved else Ambiguous((BROWN, WHITE)))


@pytest.mark.parametrize("booking_id", ["b-7", "", "8231x", "B-1"])
def test_an_id_that_no_one_found_is_not_seen(booking_id: str) -> None:
    assert settled(booking_id, "move Emma's party", EMMAS) == Unknown()


def test_the_only_match_of_a_look_up_is_settled() -> None:
    assert settled("b-9", "move John's party to 3pm", (JOHN,)) == Resolved(JOHN)


def test_the_only_match_of_what_was_read_is_not_the_only_one() -> None:
    cut = FoundBookings(rows=(JOHN,), asked=("John",), more=True)
    whole = FoundBookings(rows=(JOHN,), asked=("John", "2026-12-01"))
    john, dated, named = words("move John's party"), words("move John's party on 1 December"), words("move 8300")
    assert resolve_booking("b-9", john, KnownBookings([cut])) == Ambiguous((JOHN,))
    assert resolve_booking("b-9", john, KnownBookings([cut], known=(JOHN,))) == Ambiguous((JOHN,))
    assert resolve_booking("b-9", dated, KnownBookings([cut])) == Ambiguous((JOHN,))
    assert resolve_booking("b-9", dated, KnownBookings([cut, whole])) == Resolved(JOHN)
    assert resolve_booking("b-9", named, KnownBookings([cut])) == Resolved(JOHN)
    assert resolve_booking("b-9", words("yes"), KnownBookings([cut], offered=(JOHN,))) == Resolved(JOHN)


def test_nor_is_one_that_words_pick_from_what_was_read() -> None:
    cut = FoundBookings(rows=EMMAS, asked=("Emma",), more=True)
    assert resolve_booking("b-3", words("move Emma's party on 29 November"), KnownBookings([cut])) == Ambiguous(
        (GREEN,)
    )
    assert resolve_booking("b-3", words("move Emma Green"), KnownBookings([cut], offered=EMMAS)) == Resolved(GREEN)


def test_the_words_pick_from_what_was_offered_also_when_it_was_looked_at_afresh() -> None:
    afresh = WHITE.model_copy(update={"status": "Paid"})
    found = [FoundBookings(rows=(afresh,), asked=("b-2",))]
    assert resolve_booking("b-2", words("White"), KnownBookings(found, EMMAS)) == Resolved(afresh)
    assert resolve_booking("b-2", words("the party"), KnownBookings(found, EMMAS)) == Ambiguous(EMMAS)
    assert resolve_booking("b-2", words("make it 3pm"), KnownBookings(found, known=(WHITE,))) == Resolved(afresh)


@pytest.mark.parametrize(
    ("asked", "text", "borne_out"),
    [
        (("John Smith",), "move John Smith's party", True), (("smith",), "move the Smth party", True),
        (("John Smith", "2026-12-01"), "move John Smith's party of the 1st of December", True),
        (("8300",), "no. 8300", True),
        (("John Smith",), "move the party to 3pm", False), (("Johnson",), "move Emma's party", False),
    ],
)  # fmt: skip
def test_the_only_match_of_words_the_operator_never_stated_means_asking(
    asked: tuple[str, ...], text: str, borne_out: bool
) -> None:
    verdict = resolve_booking("b-9", words(text), KnownBookings([FoundBookings(rows=(JOHN,), asked=asked)]))

    assert verdict == (Resolved(JOHN) if borne_out else Ambiguous((JOHN,)))


def test_a_booking_can_be_given_by_its_reference() -> None:
    assert settled("8300", "move John's party", (JOHN,)) == Resolved(JOHN)


@pytest.mark.parametrize("text", ["move 8240 to 3pm", "booking #8240, please", "the one with b-2", "8240"])
def test_a_booking_that_the_operator_names_is_settled_among_many(text: str) -> None:
    assert settled("b-2", text, EMMAS) == Resolved(WHITE)


@pytest.mark.parametrize("text", ["call 0400 824 011", "82401", "no 18240", "x-8240"])
def test_a_number_that_only_contains_a_reference_names_nothing(text: str) -> None:
    assert isinstance(settled("b-2", text, EMMAS), Ambiguous)


def test_many_matches_and_no_word_that_picks_one_means_asking() -> None:
    assert settled("b-1", "move Emma's party to Saturday", EMMAS) == Ambiguous(EMMAS)


def test_a_full_name_picks_among_many_matches() -> None:
    assert settled("b-2", "move the party of Emma White", EMMAS) == Resolved(WHITE)


def test_a_model_that_picks_another_than_the_operator_is_not_followed() -> None:
    assert settled("b-1", "move the Emma White party", EMMAS) == Ambiguous((WHITE,))


def test_a_number_stated_before_does_not_count_for_who_is_named_since() -> None:
    text = words("move John Smith to Saturday", "make 8231 11 guests")
    assert resolve_booking(
        "b-9", text, KnownBookings([FoundBookings(rows=(JOHN,), asked=("John Smith",))], (), (BROWN,))
    ) == Resolved(JOHN)


@pytest.mark.parametrize("text", ["John Jones", "the Jones one, Emma"])
def test_another_s_name_beside_is_no_one_known(text: str) -> None:
    assert settled("b-9", text, offered=(JOHN,)) in (Unknown(), Ambiguous((JOHN,)))


@pytest.mark.parametrize("text", [
    "move Emma's party to the first of December", "make it the second Saturday", "move Emma to 1", "2",
    "Emma's last day is Friday",
])  # fmt: skip
def test_an_ordinal_picks_nothing_from_a_list_that_was_not_shown(text: str) -> None:
    for booking in EMMAS:
        assert isinstance(settled(booking.booking_id, text, EMMAS), Ambiguous)


@table("text, picked", [
    ("the first one", BROWN), ("the 2nd", WHITE), ("second please", WHITE), ("la terza", GREEN),
    ("the last one", GREEN),
    ("2", WHITE), ("3", GREEN), ("White", WHITE), ("emma green", GREEN), ("the 2:30pm one", WHITE), ("14:30", WHITE),
    ("at 3pm", GREEN), ("the 2026-11-29 one", GREEN), ("8231", BROWN), ("the earliest please", BROWN),
    ("the later one", GREEN), ("the morning one", BROWN), ("quella di mattina", BROWN),
])  # fmt: skip
def test_the_operators_words_pick_from_what_was_offered(text: str, picked: BookingSummary) -> None:
    assert settled(picked.booking_id, text, offered=EMMAS) == Resolved(picked)
    for other in EMMAS:
        if other is not picked:
            assert not isinstance(settled(other.booking_id, text, offered=EMMAS), Resolved)


@pytest.mark.parametrize("text", ["yes", "Emma", "4", "0", "the fifth", "", "the blue one"])
def test_words_that_pick_none_or_several_mean_asking_again(text: str) -> None:
    assert settled("b-1", text, offered=EMMAS) == Ambiguous(EMMAS)


def test_a_booking_settled_earlier_stays_settled() -> None:
    assert settled("b-9", "and make it 14 kids", known=(BROWN, JOHN)) == Resolved(JOHN)


def test_a_booking_of_an_earlier_turn_that_a_new_crowd_contains_must_be_picked_again() -> None:
    assert settled("b-1", "move Emma's party", EMMAS, known=(BROWN,)) == Ambiguous(EMMAS)


@pytest.mark.parametrize("name", ["José García", "JOSE GARCIA", "jose\u0301 garci\u0301a"])
def test_accents_and_case_do_not_matter(name: str) -> None:
    jose, ana = a_booking("b-1", "José García"), a_booking("b-2", "Ana García")

    assert narrow_candidates((jose, ana), words(f"move {name} to 3pm")) == [jose]


def test_two_guests_of_one_name_are_reported_apart_by_the_rest() -> None:
    early = a_booking("b-1", "Emma Brown", start_time="10:00")
    late = a_booking("b-2", "Emma Brown", start_time="16:00")

    assert narrow_candidates((early, late), words("Emma Brown")) == [early, late]
    assert narrow_candidates((early, late), words("Emma Brown at 4pm")) == [late]
    assert narrow_candidates((early, late), words("the second Emma Brown")) == [late]


def both(name: str, other: str) -> tuple[BookingSummary, BookingSummary]:
    """Return bookings of two guests, as a venue that forgives slips finds both by the first name."""
    rows = (a_booking("b-1", f"Anna {name}"), a_booking("b-2", f"Ben {other}"))
    one, two = (b.model_copy(update={"found_by": name.casefold()}) for b in rows)
    return one, two


@pytest.mark.parametrize(("name", "other"), [("Clarke", "Clark"), ("Clark", "Clarke"), ("Hansen", "Hanson")])
def test_a_name_is_no_slip_of_another_that_is_there(name: str, other: str) -> None:
    meant, near = rows = both(name, other)
    asked = [FoundBookings(rows=rows, asked=(name,))]

    assert narrow_candidates(rows, words(f"note for {name}: bring socks"), listed=False) == [meant]
    assert resolve_booking("b-1", words(f"note for {name}: bring socks"), KnownBookings(asked)) == Resolved(meant)
    assert resolve_booking("b-2", words(f"note for {name}: bring socks"), KnownBookings(asked)) == Ambiguous(
        (meant,)
    ), near


def test_a_slip_of_two_names_picks_neither() -> None:
    rows = both("Hansen", "Hanson")

    assert narrow_candidates(rows, words("note for Hansun: bring socks"), listed=False) == list(rows)


def test_nothing_to_choose_from_stays_nothing() -> None:
    assert narrow_candidates((), words("the first")) == []


@settings(deadline=None, max_examples=200)
@given(text=st.text(max_size=40), listed=st.booleans(), count=st.integers(0, 3))
def test_narrowing_never_invents_a_booking_and_never_empties_a_list(text: str, listed: bool, count: int) -> None:
    candidates = EMMAS[:count]

    found = narrow_candidates(candidates, words(text), listed=listed)

    assert set(found) <= set(candidates)
    assert bool(found) is bool(candidates)


@settings(deadline=None, max_examples=200)
@given(text=st.text(max_size=40), which=st.sampled_from(EMMAS))
def test_settled_is_always_the_booking_that_was_asked_about(text: str, which: BookingSummary) -> None:
    verdict = settled(which.booking_id, text, EMMAS)

    assert verdict == Resolved(which) or isinstance(verdict, Ambiguous | Unknown)


SCOUTS = (
    a_booking("s-0", "Scouts outing", reference="8150", date="2026-11-13", start_time="15:00"),
    a_booking("s-1", "Scouts outing", reference="8151", date="2026-12-01", start_time="18:30"),
    a_booking("s-2", "Scouts outing", reference="8152", date="2026-12-12", start_time="15:30"),
    a_booking("s-3", "Scouts outing", reference="8153", date="2026-12-14", start_time="17:30"),
)


def test_words_that_leave_several_narrow_them() -> None:
    assert settled("b-1", "the one on 2026-11-28", offered=EMMAS) == Ambiguous((BROWN, WHITE))


@pytest.mark.parametrize("text", [
    ("no wait, 5:30pm", "move the scouts outing to 3pm"), ("sorry, make that 5:30pm", "scouts outing to 3pm"),
    ("anzi, alle 17:30", "sposta la scouts outing alle 15"),
])  # fmt: skip
def test_a_correction_picks_no_booking(text: tuple[str, ...]) -> None:
    chat = KnownBookings(offered=SCOUTS)
    for booking in SCOUTS:
        assert isinstance(resolve_booking(booking.booking_id, words(*text), chat, used={"17:30"}), Ambiguous)


@pytest.mark.parametrize(("text", "picked"), [
    ("the one on the 12th", 2), ("the december 1 one", 1), ("the last one", 3), ("8151", 1),
    ("the 6:30pm one", 1), ("the second one", 1), ("monday the 14th", 3),
])  # fmt: skip
def test_a_booking_is_picked_by_what_is_its_own(text: str, picked: int) -> None:
    evidence = words(text, "move the scouts outing to 5pm")
    assert resolve_booking(
        SCOUTS[picked].booking_id, evidence, KnownBookings(offered=SCOUTS), used={"17:00"}
    ) == Resolved(SCOUTS[picked])


def test_exact_titles_come_first_and_what_is_ahead_before_what_is_over() -> None:
    family = a_booking("c-1", "Callaghan family", date="2026-12-05", start_time="10:00")
    birthday = a_booking("c-2", "Callaghan birthday", date="2026-12-06", start_time="14:00")
    assert narrow_candidates((family, birthday), words("callaghan family to 11am")) == [family]
    assert narrow_candidates((family, birthday), words("the callaghan's to 11am")) == [family, birthday]
    assert narrow_candidates(SCOUTS[:2], words("scouts outing to 5pm")) == [SCOUTS[1]]
    off = SCOUTS[1].model_copy(update={"cancelled": True})
    assert narrow_candidates((off, SCOUTS[2]), words("scouts outing to 5pm")) == [SCOUTS[2]]


def test_a_booking_of_the_chat_is_not_taken_for_another_that_is_named() -> None:
    assert settled("b-9", "cancel Emma Clarke's booking", known=(JOHN,)) == Ambiguous((JOHN,))
    assert settled("b-1", "make it 3pm", known=(BROWN, JOHN)) == Ambiguous((JOHN, BROWN))


def test_a_look_up_by_the_value_that_is_to_be_set_settles_nothing() -> None:
    found = [FoundBookings(rows=(JOHN,), asked=("11:00",))]
    assert resolve_booking("b-9", words("move the party to 11am"), KnownBookings(found), used={"11:00"}) == Ambiguous(
        (JOHN,)
    )
    assert resolve_booking("b-9", words("cancel the 11am party"), KnownBookings(found)) == Resolved(JOHN)


def test_a_lone_suggestion_is_taken_only_by_a_yes_or_its_name() -> None:
    for text, verdict in (("yes", Resolved(JOHN)), ("john", Resolved(JOHN)), ("at 3pm", Ambiguous((JOHN,)))):
        assert resolve_booking("b-9", words(text), KnownBookings(offered=(JOHN,))) == verdict


def test_a_number_that_no_one_looked_up_is_not_the_booking_at_hand() -> None:
    for text in ("it's 8371", "no, 8371", "i meant booking 8371"):
        assert settled("b-9", text, known=(JOHN,)) == Ambiguous((JOHN,)), text
    assert settled("b-9", "it's 8300", known=(BROWN, JOHN)) == Resolved(JOHN)
    assert settled("b-9", "at 1530", known=(JOHN,)) == Resolved(JOHN)


def test_the_other_one_is_whom_the_chat_has_not_spoken_of() -> None:
    found = [FoundBookings(asked=("emma",), rows=(BROWN, WHITE))]
    chat = KnownBookings(found=found, known=(BROWN,), spoken=(BROWN.booking_id,))
    assert resolve_booking("b-2", words("sorry i meant the other emma"), chat) == Resolved(WHITE)
    assert isinstance(resolve_booking("b-1", words("sorry i meant the other emma"), chat), Ambiguous)


def test_the_last_of_a_list_is_the_last_that_is_to_come() -> None:
    over = a_booking("b-0", "Emma Black", reference="8200", date="2026-11-19", start_time="10:00")
    assert narrow_candidates([BROWN, WHITE, over], words("the last one")) == [WHITE]
    assert narrow_candidates([BROWN, WHITE, GREEN, over], words("the middle one")) == [WHITE]


def test_what_is_off_tells_which() -> None:
    assert narrow_candidates([BROWN, GREEN], words("emma's on the 29th is off")) == [GREEN]
    assert narrow_candidates([BROWN, GREEN], words("she can't do the 29th any more, cancel it")) == [GREEN]


def test_how_many_there_were_tells_which() -> None:
    few = a_booking("b-4", "Emma Few", reference="8260", date="2026-11-28", start_time="10:00", guest_count=6)
    many = a_booking("b-5", "Emma Many", reference="8261", date="2026-11-28", start_time="10:00", guest_count=14)
    assert narrow_candidates([few, many], words("emma from 14 to 16 kids")) == [many]


def test_several_are_reported_apart_each_by_its_own_day() -> None:
    first = a_booking("b-3", "Lia Rossi", reference="7003", date="2026-12-03", start_time="18:00")
    later = a_booking("b-15", "Lia Rossi", reference="7015", date="2026-12-15", start_time="18:00")
    rows = (first, later)
    for booking in rows:
        text = "rossi on the 3rd and rossi on the 15th both start at 6.30 now"
        assert settled(booking.booking_id, text, rows) == Resolved(booking)
        for left_open in ("rossi on the 3rd or the 15th to 6.30", "rossi on the 3rd or rossi on the 15th to 6.30"):
            assert isinstance(settled(booking.booking_id, left_open, rows), Ambiguous)
    assert settled("b-3", "rossi on the 3rd to 6.30", rows) == Resolved(first)
    assert isinstance(settled("b-15", "rossi on the 3rd to 6.30", rows), Ambiguous)
