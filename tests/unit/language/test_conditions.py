"""The fallback of a request (`language.requests.conditions`) is separated from the preferred part, in English and
Italian; a correction, a remark or a condition on something else is no alternative. Optional parts are separated from
firm ones; a condition on something that we cannot see is separated from both, and courtesy from all."""

import pytest

from language.requests.conditions import (
    alternatives,
    on_a_condition,
    only_if_possible,
    optional_parts,
    unverifiable_condition,
    without_conditions,
)
from tests.support.tables import table


@table(
    "text, first, instead",
    [
        ("move John's party to Saturday 4pm, if there is no room 5pm instead", "move John's party to Saturday 4pm",
         "5pm instead"),
        ("move it to 4pm. If that's full, 5pm", "move it to 4pm", "5pm"),
        ("4pm or 5 if that's taken please", "4pm please", "5"),
        ("move Emma to friday, otherwise saturday", "move Emma to friday", "saturday"),
        ("move it to 4pm if there's no room then 5pm and make it 14 kids", "move it to 4pm and make it 14 kids", "5pm"),
        ("make it 4pm; failing that 4:30, and add a note: cake", "make it 4pm, and add a note: cake", "4:30"),
        ("move the party to 4pm, if that isn't available then half past 4", "move the party to 4pm", "half past 4"),
        ("move it to 4pm but if not possible 5pm", "move it to 4pm", "5pm"),
        ("Ada to 11 or noon if that's gone", "Ada to 11", "noon"),
        ("Tom would prefer 5pm but he can live with 6", "Tom would prefer 5pm", "6"),
        ("try Liam on the 13th. no luck? then the 19th", "try Liam on the 13th", "the 19th"),
        ("Ada wants 6pm, if 6's no good 2pm", "Ada wants 6pm", "2pm"),
        ("Ada to 1pm. In case somebody's already got 1pm, use 11am.", "Ada to 1pm", "11am"),
        ("Ada on the 6th, or when the 6th is booked out, the 7th", "Ada on the 6th", "the 7th"),
        ("Ada to 2pm, unless there's no space in which case 3pm", "Ada to 2pm", "3pm"),
        ("Ada at 11, and should that not be possible put her down for 1 o'clock? Thanks", "Ada at 11? Thanks",
         "1 o'clock"),
        ("Ada to the 20th, worst case the 18th, and she's bringing 9", "Ada to the 20th, and she's bringing 9",
         "the 18th"),
        ("Ricci preferirebbe le 15, ma al limite vanno bene anche le 14", "Ricci preferirebbe le 15", "le 14"),
        ("Moretti martedì alle 10 oppure, qualora fosse occupato, mercoledì", "Moretti martedì alle 10", "mercoledì"),
        ("sposta Rossi alle 15, se non c'è posto alle 16", "sposta Rossi alle 15", "alle 16"),
        ("spostalo a venerdì, altrimenti sabato", "spostalo a venerdì", "sabato"),
    ],
)  # fmt: skip
def test_what_is_wanted_first_and_instead(text: str, first: str, instead: str) -> None:
    found = alternatives(text)
    assert found is not None and (found.first, found.instead) == (first, instead)
    assert on_a_condition(text)


@table(
    "text",
    ["move Ada to 4pm, if that doesn't suit her 5pm",
     "delacroix a day later, everything else stays", "move it to 4pm if he can't pay tell me",
     "move it to 4pm", "4pm no 5pm", "cancel it if it rains", "if there's no room tell me", "friday or saturday?",
     "move John to 3pm, sorry 4pm", "spostalo alle 15", "move him instead of her"],
)  # fmt: skip
def test_what_names_no_alternative(text: str) -> None:
    assert alternatives(text) is None


def test_what_somebody_can_do_without() -> None:
    assert only_if_possible("add a note if possible") and only_if_possible("se possibile anche una torta")
    assert not only_if_possible("is it possible to move it?")


@table("text, condition", [
    ("move Ada to 11 but only if Emma agrees", "only if Emma agrees"),
    ("cancel Ada unless they ring back before 5", "unless they ring back before 5"),
    ("Ada can go to 4pm as long as the deposit's come through", "as long as the deposit's come through"),
    ("as soon as someone drops out put Ada in at 10", "as soon as someone drops out put Ada in at 10"),
    ("sposta Ada alle 17 solo se la mamma è d'accordo", "solo se la mamma è d'accordo"),
    ("move Ada to 4pm after Emma agrees", "after Emma agrees"),
    ("move Ada to 4pm but wait for Emma's ok first", "wait for Emma's ok first"),
    ("move Ada to 4pm - check with Emma first", "check with Emma first"),
    ("move Ada to 4pm till Emma says otherwise", "till Emma says otherwise"),
    ("sposta Ada alle 17 dopo che Emma conferma", "dopo che Emma conferma"),
    ("move Ada to 4pm, if that doesn't suit her 5pm", "if that doesn't suit her 5pm"),
    ("when Emma called she asked for 4pm", ""), ("move Ada to 4pm after lunch", ""),
    ("move Ada to 4pm if there is room", ""), ("move Ada to 4pm, if that's full 5pm", ""),
    ("could you move Ada to 4pm, if that's alright with you?", ""), ("eleven guests, if you would", ""),
    ("I'd be grateful if Ada could be moved to Monday", ""), ("not sure if i told you, Ada wants 4pm", ""),
    ("per i Reid non se ne fa più niente", ""), ("se possibile spostala alle 12", ""),
])  # fmt: skip
def test_what_no_one_here_can_see(text: str, condition: str) -> None:
    assert unverifiable_condition(text) == condition


@pytest.mark.parametrize(("text", "parts", "plain"), [
    ("Ada is 11 now, and if possible bump them to 5pm", ("and if possible bump them to 5pm",),
     "Ada is 11 now, and bump them to 5pm"),
    ("new phone 0412 345 678, also 10am would be nice", ("also 10am would be nice",),
     "new phone 0412 345 678, also 10am"),
    ("cambia l'email e, se possibile, anticipa alle 15", ("e, se possibile, anticipa alle 15",),
     "cambia l'email e anticipa alle 15"),
    ("14 guests, if you could bring Ada forward to 9 that'd be great", (), "14 guests, bring Ada forward to 9"),
    ("If you don't mind, bump Ada up to 12", (), "bump Ada up to 12"),
    ("move Ada to 4pm, if that's full 5pm", (), "move Ada to 4pm, if that's full 5pm"),
])  # fmt: skip
def test_what_can_be_done_without_and_what_is_left_then(text: str, parts: tuple[str, ...], plain: str) -> None:
    assert (optional_parts(text), without_conditions(text)) == (parts, plain)


@pytest.mark.parametrize(
    ("text", "instead"),
    [
        ("move Ada to 4pm, if there is room 5pm", None),
        ("move Ada to 4pm, if there's no room 5pm", "5pm"),
        ("move Ada to 4pm; if there isn't any room, 5pm", "5pm"),
        ("move Ada to 4pm, if there is not enough space 5pm", "5pm"),
        ("move Ada to 4pm, if there aren't any places left 5pm", "5pm"),
        ("move Ada to 4pm if there are spots", None),
    ],
)
def test_only_the_want_of_room_leads_to_something_else(text: str, instead: str | None) -> None:
    found = alternatives(text)
    assert (found.instead if found else None) == instead


@table(
    "text, for_room",
    [
        ("4pm, if there's no room 5pm instead", True), ("move it to 4pm. If that's full, 5pm", True),
        ("4pm or 5 if that's taken please", True), ("Ada to 1pm. In case somebody's already got 1pm, use 11am.", True),
        ("Ada at 3pm. taken? do 4pm", True), ("Ada to 2pm, unless there's no space in which case 3pm", True),
        ("alle 16, se non c'è posto alle 17", True), ("alle 16, se è pieno alle 17", True),
        ("4pm, if that doesn't work 5pm", False), ("move it to 4pm but if not possible 5pm", False),
        ("move Emma to friday, otherwise saturday", False), ("4pm, if it's impossible 5pm", False),
        ("Tom would prefer 5pm but he can live with 6", False), ("alle 16, altrimenti alle 17", False),
        ("alle 16, se non è possibile alle 17", False), ("try Liam on the 13th. no luck? then the 19th", False),
    ],
)  # fmt: skip
def test_for_want_of_room_is_reported_from_any_no(text: str, for_room: bool) -> None:
    found = alternatives(text)
    assert found is not None and found.for_room is for_room
