"""What is wanted instead, should the first not be had (`language.conditions`): told apart from what is wanted first,
in English and Italian; a correction, a remark or a condition on something else is no alternative."""

import pytest

from language.conditions import alternatives, on_a_condition, only_if_possible


@pytest.mark.parametrize(
    ("text", "first", "instead"),
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
        ("sposta Rossi alle 15, se non c'è posto alle 16", "sposta Rossi alle 15", "alle 16"),
        ("spostalo a venerdì, altrimenti sabato", "spostalo a venerdì", "sabato"),
    ],
)  # fmt: skip
def test_what_is_wanted_first_and_instead(text: str, first: str, instead: str) -> None:
    found = alternatives(text)
    assert found is not None and (found.first, found.instead) == (first, instead)
    assert on_a_condition(text)


@pytest.mark.parametrize(
    "text",
    ["move it to 4pm", "4pm no 5pm", "cancel it if it rains", "if there's no room tell me", "friday or saturday?",
     "move John to 3pm, sorry 4pm", "spostalo alle 15", "move him instead of her"],
)  # fmt: skip
def test_what_names_no_alternative(text: str) -> None:
    assert alternatives(text) is None


def test_what_somebody_can_do_without() -> None:
    assert only_if_possible("add a note if possible") and only_if_possible("se possibile anche una torta")
    assert not only_if_possible("is it possible to move it?")


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
