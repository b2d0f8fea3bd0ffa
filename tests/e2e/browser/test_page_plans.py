"""The page against the running stack, from the message to the change. Guarantees:

- one tap on the labelled button moves the booking at the venue, and the day beside the chat shows it moved;
- the page asks about a name that several guests have, and a tap chooses;
- a failure in the middle is shown with what was undone, and manual steps stay in sight;
- a question of a running plan is answered where it is asked; an undo works, at the venue, too;
- a value typed into a plan replaces the plan with a new one; an unconfirmed plan expires, and a tap drafts it again.

In each of these states axe-core finds nothing, in light and in dark.
"""

from datetime import date, timedelta

import pytest
from playwright.async_api import expect

from cli.stack.dev import Stack
from tests.e2e.browser.conftest import Visit
from tests.support.party import Party, parties
from tests.support.roller import Roller, a_day, a_name, content
from tests.support.scripted_model import ScriptedModel, look_up, obey

pytestmark = pytest.mark.asyncio


def in_words(day: str) -> str:
    return date.fromisoformat(day).strftime("%-d %B %Y")


async def test_a_confirmed_plan_moves_the_booking_and_the_day_shows_it(
    visit: Visit, stack: Stack, roller: Roller
) -> None:
    guest = a_name()
    booking = await roller.book(guest)
    day = a_day()
    visitor = await visit(desk=True)
    await visitor.sound()
    button = await visitor.asks(f"move {guest} to {in_words(day)} at 3pm")
    await expect(button).to_contain_text("Move to")
    await expect(button).to_contain_text("3pm")
    await expect(visitor.card.locator("ins").first).to_contain_text("3pm")
    # At once: the day was just read, and the answer may be up to two seconds old.
    await button.click()
    await visitor.stands("completed")
    moved = visitor.page.locator(f"#beside [data-booking='{booking['uniqueId']}']")
    await expect(visitor.page.locator("[data-panel=day]")).to_have_attribute("data-date", day)
    await expect(moved).to_contain_text("Just changed")
    await expect(moved).to_contain_text(guest)
    await expect(moved).to_contain_text("3:00 pm")
    item = (await roller.booking(booking["uniqueId"]))["items"][0]
    assert (item["bookingDate"], item["sessionStartTime"]) == (day, "15:00")
    await visitor.sound()
    await visitor.shows_all_of(stack)


@pytest.mark.slow
async def test_the_day_stays_with_a_booking_through_the_steps_of_a_plan(visit: Visit, roller: Roller) -> None:
    """The day turns to the booking when the plan waits, follows its move, and stays there through a later step without
    a day."""
    guest, day = a_name(), a_day()
    booking = await roller.book(guest)
    before = booking["items"][0]["bookingDate"]
    visitor = await visit(desk=True)
    await visitor.asks(f"move {guest} to {in_words(day)} at 3pm and add a note: bring socks")
    shown, row = visitor.page.locator("[data-panel=day]"), f"#beside [data-booking='{booking['uniqueId']}']"
    await expect(shown).to_have_attribute("data-date", before)
    await expect(visitor.page.locator(row)).to_contain_text("In the plan")
    await visitor.do("confirm").click()
    await visitor.stands("completed")
    await expect(shown).to_have_attribute("data-date", day)
    await expect(visitor.page.locator(row)).to_contain_text("Just changed")
    await visitor.page.wait_for_timeout(2500)
    await expect(shown).to_have_attribute("data-date", day)
    await visitor.do("undo").click()
    await visitor.stands("rolled_back")
    await expect(shown).to_have_attribute("data-date", before)


@pytest.mark.slow
async def test_a_sentence_keeps_its_direction_whatever_the_guest_s_name(visit: Visit, roller: Roller) -> None:
    guest = f"مريم {''.join(chr(0x628 + ord(c) % 20) for c in a_name()[:8])}"
    booking = await roller.book(guest)
    visitor = await visit()
    await visitor.does(f"change booking {booking['bookingReference']} to 12 guests")
    reported = visitor.page.locator("[data-row=reply] .bubble-text").last
    await expect(reported).to_contain_text(guest)
    await expect(reported).to_have_css("direction", "ltr")


async def test_a_name_that_two_guests_have_is_asked_about_and_tapped(visit: Visit, roller: Roller) -> None:
    family = a_name().split(" ")[1]
    one, other = [await roller.book(f"{first} {family}") for first in ("Anna", "Berta")]
    visitor = await visit()
    await visitor.say(f"add a note to the {family} booking: bring socks")
    taps = visitor.page.locator("[data-tone=question] [data-do^='say:']")
    await expect(taps).to_have_count(2)
    await expect(taps.first).to_contain_text(family)
    await visitor.sound()
    label = await taps.filter(has_text="Berta").text_content()
    await taps.filter(has_text="Berta").click()
    await expect(visitor.do("confirm")).to_be_visible()
    # The message shows the text of the option; the page sends the booking's reference.
    assert (await visitor.texts("message"))[-1] == label
    held = await visitor.chat()
    assert [one["text"] for one in held["messages"] if one["kind"] == "message"][-1] == other["bookingReference"]
    await visitor.reads_the_same_after_a_reload()
    await visitor.do("confirm").click()
    await visitor.stands("completed")
    assert "bring socks" in (await roller.booking(other["uniqueId"]))["comments"]
    assert await roller.journal(one) == []
    await expect(taps).to_have_count(0)


async def test_a_failure_in_the_middle_is_put_back_and_reported(
    visit: Visit, stack: Stack, roller: Roller, party: Party
) -> None:
    guest, booking = await party(("change_guest_count", {"guest_count": 14}), ("edit_note", {"note": "Cake at noon"}))
    visitor = await visit()
    await visitor.asks(f"make {guest} 14 guests, with the note: Cake at noon")
    await expect(visitor.do("confirm")).to_have_text("Make 2 changes")
    refused = {"errors": [{"name": "X", "message": "no"}]}
    await roller.fault("update-a-booking", "status", status=409, body=refused, skip=1)
    await visitor.do("confirm").click()
    await visitor.stands("rolled_back")
    assert content(await roller.booking(booking["uniqueId"])) == content(booking)
    await expect(visitor.card.locator("[data-outcome=reversed]")).to_have_count(1)
    await expect(visitor.card.locator(".step[data-step='2']")).to_have_attribute("data-status", "failed")
    await visitor.sound()
    await visitor.shows_all_of(stack)


@pytest.mark.slow
async def test_what_cannot_be_put_back_stays_in_sight_as_a_thing_to_do(
    visit: Visit, roller: Roller, scripted: ScriptedModel
) -> None:
    guest = a_name()
    one, other = await roller.book(guest), await roller.book(guest + " Second")
    scripted.script(guest, look_up(guest), lambda body: [
        {"cancel_booking": {"booking_id": one["uniqueId"]}},
        {"edit_note": {"booking_id": other["uniqueId"], "note": "moved"}},
    ], obey)  # fmt: skip
    visitor = await visit()
    text = f"cancel {one['bookingReference']}, and on {other['bookingReference']} for {guest} the note: moved"
    await visitor.asks(text)
    await expect(visitor.page.locator("#dock")).to_contain_text("Part of this cannot be undone")
    await visitor.sound()
    await roller.fault("update-a-booking", "status", status=409, body={"errors": [{"name": "X", "message": "no"}]})
    await visitor.do("confirm").click()
    await visitor.stands("rolled_back")
    manual = visitor.page.get_by_role("group", name="To do by hand")
    await expect(manual).to_contain_text(one["bookingReference"])
    await expect(visitor.card.locator(".card-status")).to_have_text("Not put back")
    await expect(visitor.card.locator(".card-fold")).not_to_have_attribute("open", "")
    await expect(manual).to_be_visible()
    await visitor.sound()


@pytest.mark.slow
async def test_a_question_is_answered_where_it_is_asked(visit: Visit, stack: Stack, roller: Roller) -> None:
    booking = await roller.book()
    visitor = await visit()
    await (await visitor.asks(f"cancel booking {booking['bookingReference']} and record the refund")).click()
    asked = visitor.card.locator(".prompt")
    await expect(asked).to_be_visible()
    await visitor.sound()
    await asked.locator("input").fill("in cash please")
    await asked.locator("[data-do=answer]").click()
    await visitor.stands("completed")
    await expect(visitor.card.locator(".asked-answer")).to_have_text("in cash please")
    assert (await roller.booking(booking["uniqueId"]))["status"] == "Cancelled"
    await visitor.shows_all_of(stack)


@pytest.mark.slow
async def test_a_settled_card_names_its_booking_by_what_is_still_so(visit: Visit, roller: Roller) -> None:
    booking = await roller.book()
    visitor, title = await visit(), f"({booking['bookingReference']})"
    await visitor.asks(f"change booking {booking['bookingReference']} to 12 guests")
    await expect(visitor.card.locator(".card-title")).to_contain_text(f"{booking['items'][0]['quantity']} guests")
    await visitor.do("confirm").click()
    await visitor.stands("completed")
    await expect(visitor.card.locator(".card-title")).to_contain_text(title)
    await expect(visitor.card.locator(".card-title")).not_to_contain_text("guests")
    await visitor.reads_the_same_after_a_reload()


@pytest.mark.slow
async def test_an_undo_puts_it_back_at_the_venue(visit: Visit, stack: Stack, roller: Roller, party: Party) -> None:
    guest, booking = await party(("edit_note", {"note": "bring socks"}))
    visitor = await visit()
    await visitor.does(f"note for {guest}: bring socks")
    assert (await roller.booking(booking["uniqueId"]))["comments"] == "bring socks"
    await visitor.sound()
    await visitor.do("undo").click()
    await visitor.stands("rolled_back")
    await expect(visitor.card.locator(".card-status")).to_have_text("Undone")
    assert content(await roller.booking(booking["uniqueId"])) == content(booking)
    await expect(visitor.do("undo")).to_have_count(0)
    await visitor.sound()
    await visitor.shows_all_of(stack)


@pytest.mark.slow
async def test_a_value_typed_into_a_plan_makes_a_new_plan_of_it(visit: Visit, roller: Roller) -> None:
    guest = a_name()
    booking = await roller.book(guest)
    day = (date.fromisoformat(booking["items"][0]["bookingDate"]) + timedelta(days=1)).isoformat()
    visitor = await visit()
    await visitor.asks(f"move {guest} to {in_words(day)} at 3pm")
    await visitor.do("edit").click()
    await visitor.page.get_by_label("New start time").fill("16:00")
    await visitor.sound()
    await visitor.do("save").click()
    await expect(visitor.do("confirm")).to_contain_text("4pm")
    old = visitor.page.locator("article[data-plan]").first
    await expect(old.locator(".card-status")).to_have_text("Replaced")
    await visitor.sound()
    await visitor.do("confirm").click()
    await visitor.stands("completed")
    item = (await roller.booking(booking["uniqueId"]))["items"][0]
    assert (item["bookingDate"], item["sessionStartTime"]) == (day, "16:00")
    assert len(await roller.journal(booking)) == 1


@pytest.mark.slow
async def test_a_plan_that_no_one_confirms_expires(
    visit: Visit, impatient: Stack, hasty_roller: Roller, scripted: ScriptedModel
) -> None:
    guest, booking = await parties(hasty_roller, scripted)(("edit_note", {"note": "bring socks"}))
    visitor = await visit(impatient)
    await visitor.asks(f"note for {guest}: bring socks")
    await expect(visitor.page.locator("#dock .countdown")).to_contain_text("Confirm within")
    await visitor.stands("expired")
    await expect(visitor.do("confirm")).to_have_count(0)
    await expect(visitor.page.locator("[data-row=reply]").last).to_contain_text("None of it was carried out")
    await visitor.sound()
    assert await hasty_roller.journal(booking) == []
    # A tap drafts it again, as it was.
    again = visitor.page.get_by_role("button", name="Try again")
    await again.click()
    await expect(visitor.page.locator("article[data-plan]")).to_have_count(2)
    await expect(visitor.card.locator("ins").first).to_contain_text("bring socks")
    await visitor.stands("expired")
    await expect(again).to_have_count(1)


@pytest.mark.slow
async def test_marks_in_a_name_turn_no_words_of_a_plan_round(visit: Visit, roller: Roller) -> None:
    """An unbalanced right-to-left override would show other numbers than are sent."""
    guest = f"\u202e{a_name()}"
    booking = await roller.book(guest)
    visitor = await visit()
    await visitor.asks(f"change booking {booking['bookingReference']} to 12 guests")
    await expect(visitor.card).to_contain_text(guest[1:])
    assert "\u202e" not in await visitor.page.locator("body").inner_text()
