"""The effect of other clauses and other messages on a value, in wordings that no case file has.

- STANDS: values counted from a named day or from an earlier message, picked from a list that was shown, or given in
  spite of other text beside them. Every value is kept.
- FALLS: values that were called off, given before by mistake, left open, of the venue or of other guests. None is kept.

" › " separates messages.
"""

from typing import Any

import pytest

from tests.support.tables import table
from tests.unit.reasoning.proposals import judged

D, T, C = "new_date", "new_start_time", "guest_count"
REFUND = {"issue_refund": True}

STANDS: list[tuple[str, str, dict[str, Any]]] = [
    ("en", "15 kids, sorry, i wrote 12 before", {C: 15}),
    ("en", "as i wrote, 14 kids", {C: 14}),
    ("it", "domenica, ho sbagliato, vi avevo detto lunedì", {D: "2026-11-29"}),
    ("en", "the saturday before xmas at 2pm", {D: "2026-12-19", T: "14:00"}),
    ("it", "il lunedì dopo l'epifania", {D: "2027-01-11"}),
    ("en", "emma needs to push back › by a fortnight", {D: "2026-12-12"}),
    ("en", "can they start sooner › by an hour", {T: "14:00"}),
    ("it", "anticipa clarke › di un giorno", {D: "2026-11-27"}),
    ("it", "spostala indietro di un giorno", {D: "2026-11-27"}),
    ("en", "two weeks on from what she's got", {D: "2026-12-12"}),
    ("en", "sunday at 2 or at 4 › the earlier one", {D: "2026-11-29", T: "14:00"}),
    ("en", "friday at 4 or sunday at 5 › the second option", {D: "2026-11-29", T: "17:00"}),
    ("it", "lunedì o martedì › il primo dei due", {D: "2026-11-23"}),
    ("en", "thursday. 11. thanks", {D: "2026-11-26", T: "11:00"}),
    ("en", "mum thought it was 5pm, so switch it to that", {T: "17:00"}),
    ("en", "it's ms de los santos now", {"last_name": "de los Santos"}),
    ("en", "cancel it, she's had her deposit back", REFUND),
    ("it", "annulla, soldi indietro in contanti", {**REFUND, "refund_type": "Cash"}),
    ("en", "two cousins tag along", {C: 11}),
    ("en", "one's got the flu", {C: 8}),
    ("en", "lower emma's numbers by 2", {C: 7}),
    ("it", "si è aggiunta una cuginetta", {C: 10}),
    ("it", "due bimbetti restano a casa", {C: 7}),
    ("it", "cell 340-11.22.333", {"phone": "+393401122333"}),
    ("en", "can emma come friday?", {D: "2026-11-27"}),
    ("en", "the clarke family is 16 now", {C: 16}),
    ("en", "emma at 5pm › leave the time alone, just make it friday", {D: "2026-11-27"}),
    ("en", "the week after next, same day", {D: "2026-12-05"}),
    ("en", "from saturday to monday", {D: "2026-11-30"}),
    ("en", "they need a different day, friday", {D: "2026-11-27"}),
    ("en", "5pm, a later slot than now", {T: "17:00"}),
    ("it", "apriamo alle 9, mettila alle 10", {T: "10:00"}),
    ("en", "also they're 12 kids", {C: 12}),
    ("en", "also 12 people", {C: 12}),
    ("en", "the following saturday, same time", {D: "2026-12-05"}),
    ("it", "mettila al sabato successivo", {D: "2026-12-05"}),
    ("en", "the friday before, 11am", {D: "2026-11-27", T: "11:00"}),
    ("en", "there will only be seven of them", {C: 7}),
    ("en", "put them down as 11", {C: 11}),
    ("en", "9 to 13 skaters", {C: 13}),
    ("it", "meno 2 bimbi", {C: 7}),
    ("en", "they are 12 now, were 9", {C: 12}),
    ("en", "take two off › three, sorry", {C: 6}),
    ("en", "saturday, an hour later", {T: "16:00"}),
    ("en", "to tuesday, they've got school on the monday", {D: "2026-11-24"}),
    ("en", "have her lunch at one o'clock rather than 3", {T: "13:00"}),
    ("it", "nn alle 15, alle 16", {T: "16:00"}),
    ("en", "bring it forward by one day", {D: "2026-11-27"}),
]

FALLS: list[tuple[str, str, dict[str, Any]]] = [
    ("en", "take two off › three, sorry", {C: 3}),
    ("en", "one child has a peanut allergy", {C: 1}),
    ("en", "can they start earlier › one moment please", {T: "13:00"}),
    ("en", "the staff christmas party wants half five", {D: "2026-12-25"}),
    ("en", "to tuesday, they've got school on the monday", {D: "2026-11-23"}),
    ("en", "make it 11 kids › leave the kids, start at 4", {C: 11}),
    ("en", "add a note › ok", {"note": "ok"}),
    ("en", "the 16th one", {T: "13:00"}),
    ("en", "15 kids, sorry, i wrote 12 before", {C: 12}),
    ("it", "alle 17, scusate ho detto 16", {T: "16:00"}),
    ("en", "the monday before christmas", {D: "2026-11-23"}),
    ("it", "due giorni prima di natale", {D: "2026-12-25"}),
    ("en", "push it back › by an hour", {T: "14:00"}),
    ("en", "sunday at 2 or at 4", {T: "14:00"}),
    ("en", "friday or thursday › the earlier", {D: "2026-11-27"}),
    ("en", "they were going to have friday but that fell through", {D: "2026-11-27"}),
    ("it", "dovevano essere 14 ma è saltato tutto, richiama lei", {C: 14}),
    ("en", "his birthday is friday, find another day for the party", {D: "2026-11-27"}),
    ("en", "the venue shuts at 6 so make it earlier", {T: "18:00"}),
    ("it", "apriamo alle 10, mettila più presto possibile", {T: "10:00"}),
    ("en", "smith family is friday, clarke needs a different day", {D: "2026-11-27"}),
    ("en", "did john smith book sunday? clarke needs to change", {D: "2026-11-29"}),
    ("en", "are the joneses 14? emma has grown as well", {C: 14}),
    ("it", "i bianchi sono 12, emma ne ha di più", {C: 12}),
    ("en", "emma friday › keep the day, i meant the time: 5pm", {D: "2026-11-27", T: "17:00"}),
    ("it", "emma alle 17 › no lascia l'ora, cambia il giorno: venerdì", {D: "2026-11-27", T: "17:00"}),
    ("en", "emma to friday › no not friday", {D: "2026-11-27"}),
    ("en", "make it 14 › forget that", {C: 14}),
    ("en", "either 12 or 13, will confirm", {C: 12}),
    ("it", "annulla ma non restituire la caparra", REFUND),
    ("en", "it's on 12-05-2026", {"phone": "12052026"}),
]


@table("language, text, given", STANDS)
def test_what_was_stated_stands(language: str, text: str, given: dict[str, Any]) -> None:
    assert judged(text, given, language) == given


@table("language, text, given", FALLS)
def test_what_was_taken_back_or_left_open_is_not_kept(language: str, text: str, given: dict[str, Any]) -> None:
    found = judged(text, given, language)
    assert not isinstance(found, dict) or any(found.get(name) != value for name, value in given.items())


@pytest.mark.parametrize(
    ("text", "given"),
    [
        ("emma sunday noon › half an hour before that", {D: "2026-11-29", T: "11:30"}),
        ("emma sunday noon › 2 hours after that", {T: "14:00"}),
        ("emma sunday noon › a week after that", {D: "2026-12-06"}),
    ],
)
def test_a_change_counts_from_what_is_pending(text: str, given: dict[str, Any]) -> None:
    assert judged(text, given, pending={D: "2026-11-29", T: "12:00"}) == given
