"""The riding school's actions are found by words of its trade, English and Italian, that no action has to contain
itself: each is among the best three of seven for what people type, and mostly the best."""

from collections.abc import Sequence

import pytest

from registry.search.search import Search
from tests.support.shipped import shipped

pytest.importorskip("bm25s")

TYPED = [
    ("reschedule Tuesday's class", "move_booking"),
    ("the trail ride is an hour later", "move_booking"),
    ("sposta la lezione", "move_booking"),
    ("two more pupils for Giulia", "change_rider_count"),
    ("one rider less", "change_rider_count"),
    ("un allievo in più", "change_rider_count"),
    ("scrap the pony hour", "cancel_booking"),
    ("she is ill, call the lesson off", "cancel_booking"),
    ("disdici la cavalcata", "cancel_booking"),
    ("sign up a new pupil", "book_lesson"),
    ("enrol Anna in the jumping lesson", "book_lesson"),
    ("iscrivi un allievo", "book_lesson"),
    ("any seats left on the trail ride?", "check_availability"),
    ("which lessons have room?", "check_availability"),
    ("c'è posto sabato?", "check_availability"),
    ("find the rider with this number", "find_bookings"),
]


def ranked(text: str, search: Search, names: Sequence[str]) -> list[str]:
    rows = sorted(zip(search.scores(text), names, strict=True), key=lambda row: -row[0])
    return [name for score, name in rows if score > 0]


def test_actions_are_found_by_the_words_of_the_trade() -> None:
    pack = shipped("bookeo")
    actions = list(pack.actions.values())
    search, names = Search(actions, pack.profile.aliases), [a.name for a in actions]
    found = {text: ranked(text, search, names) for text, _ in TYPED}
    missed = {text: found[text][:3] for text, wanted in TYPED if wanted not in found[text][:3]}
    assert missed == {}
    best = [text for text, wanted in TYPED if found[text][:1] == [wanted]]
    assert len(best) >= 13, best


def test_the_pack_is_without_a_finding() -> None:
    assert [f.message for f in shipped("bookeo").findings] == []
