"""`iq demo`: a scripted tour of the running stack that checks itself.

Six short stories, each over HTTP as an operator's phone would send it: the messages, the answers, and the booking
before and after in the ROLLER sandbox. Dates are computed, so the tour works on any day of the week.
"""

import asyncio
import logging
import os
import tempfile
import time
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import httpx
import typer

from cli.stack.dev import DEMO_TOKEN, Ports, Stack
from cli.stack.sandboxes import wanted
from infra.config.settings import Settings

Json = dict[str, Any]

_ENDED = {"completed", "failed", "rolled_back", "expired", "cancelled"}


class TourError(Exception):
    """The tour did not go as expected."""


class Tour:
    """One operator, one venue, six stories."""

    def __init__(self, api: httpx.AsyncClient, roller: httpx.AsyncClient, today: date) -> None:
        self._api = api
        self._roller = roller
        self._today = today
        self._session = ""

    async def run(self) -> None:
        """Run every story. Raises `TourError` at the first mistake."""
        stories = (
            self.reschedule,
            self.two_changes_at_once,
            self.which_emma,
            self.second_step_fails,
            self.question_in_the_middle,
            self.undo,
        )
        for number, story in enumerate(stories, 1):
            self._session = f"demo-{number}"
            began = time.monotonic()
            _say(f"\n── {number} of {len(stories)}. {(story.__doc__ or '').strip()}", bold=True, fg="cyan")
            await story()
            _say(f"   ✓ as it should be ({time.monotonic() - began:.1f} s)", fg="green")

    async def reschedule(self) -> None:
        """A reschedule"""
        saturday = self._next(5)
        before = await self._find("John Smith")
        plan = await self._plan("move John Smith's party to Saturday at 3pm")
        done = await self._confirm(plan)
        self._expect(done["status"] == "completed", done)
        after = await self._booking(before["uniqueId"])
        self._show(before, after)
        self._expect(_when(after) == (saturday.isoformat(), "15:00"), after)
        self._expect(_heads(after) == _heads(before), after)

    async def two_changes_at_once(self) -> None:
        """Guest count and contact details in one request"""
        before = await self._booking("8231")
        flags = (await self._guest(before)).get("flags")
        plan = await self._plan("make booking 8231 14 guests and change the email to party@example.com")
        self._expect([a["action_id"] for a in plan["actions"]] == ["change_guest_count", "update_contact"], plan)
        done = await self._confirm(plan)
        self._expect(done["status"] == "completed", done)
        after = await self._booking("8231")
        guest = await self._guest(after)
        self._show(before, after)
        print(f"   guest's e-mail now: {guest['email']}")
        self._expect(_heads(after) == 14, after)
        self._expect(guest["email"] == "party@example.com" and guest.get("flags") == flags, guest)

    async def which_emma(self) -> None:
        """An ambiguous name, and a choice"""
        before = await self._find("Emma Brown")
        turn = await self._say("move Emma's booking to Friday at 4pm")
        self._expect(turn["type"] == "clarification" and len(turn["candidates"]) == 3, turn)
        plan = await self._plan("Emma Brown")
        done = await self._confirm(plan)
        self._expect(done["status"] == "completed", done)
        after = await self._booking(before["uniqueId"])
        self._show(before, after)
        self._expect(_when(after) == (self._next(4).isoformat(), "16:00"), after)

    async def second_step_fails(self) -> None:
        """Three steps, of which the second meets a session that has filled up meanwhile: the first is undone"""
        session = (await self._json(self._roller.get("/_sandbox/stage")))["open_sessions"][1]
        before = await self._booking("8231")
        guest = await self._guest(before)
        day = date.fromisoformat(session["date"]).strftime("%-d %B")
        plan = await self._plan(
            f"change the phone on booking 8231 to 0412 345 678, move it to {day} at {session['start_time']} "
            "and add a note: bring the cake at noon"
        )
        self._expect(len(plan["actions"]) == 3, plan)
        await self._fill(session)
        done = await self._confirm(plan)
        self._expect(done["status"] == "rolled_back" and done["failure"]["step"] == 2, done)
        self._expect(done["failure"]["error_type"] == "conflict", done)
        self._expect(done["rollback_report"]["outcome"] == "complete", done)
        after = await self._booking("8231")
        self._show(before, after)
        self._expect(_content(after) == _content(before), after)
        self._expect(await self._guest(after) == guest, await self._guest(after))

    async def question_in_the_middle(self) -> None:
        """A question asked while the plan runs, and answered"""
        before = await self._booking("8231")
        plan = await self._plan("cancel booking 8231 and record the refund")
        self._expect(plan["actions"][0]["safety_tier"] == "high_risk", plan)
        waiting = await self._confirm(plan)
        self._expect("blocking_prompt" in waiting, waiting)
        print(f"   asks: {waiting['blocking_prompt']['question']}  {waiting['blocking_prompt'].get('choices', '')}")
        print("   you:  in cash please")
        path = f"/v1/plans/{plan['plan_id']}/answers"
        await self._json(self._api.post(path, json={"user_id": "demo", "user_message": "in cash please"}))
        done = await self._ended(plan)
        self._expect(done["status"] == "completed", done)
        after = await self._booking("8231")
        self._show(before, after)
        self._expect(after["status"] == "Cancelled", after)

    async def undo(self) -> None:
        """A completed plan, undone"""
        before = await self._find("Emma Clarke")
        plan = await self._plan(f"add a note to booking {before['bookingReference']}: vegetarian pizza")
        done = await self._confirm(plan)
        self._expect(done["status"] == "completed" and "undo_until" in done, done)
        print("   you:  (tap) Undo")
        await self._json(self._api.post(f"/v1/plans/{plan['plan_id']}/undo", json={"user_id": "demo"}))
        undone = await self._ended(plan, ("rolled_back",))
        self._expect(undone["rollback_report"]["outcome"] == "complete", undone)
        after = await self._booking(before["uniqueId"])
        self._show(before, after)
        self._expect(_content(after) == _content(before), after)

    async def _fill(self, session: Json) -> None:
        """Book all remaining places as another customer."""
        left = session["capacity_remaining"]
        print(f"   (meanwhile somebody else books the last {left} places)")
        item = {"productId": session["product_id"], "quantity": left, "bookingDate": session["date"]}
        customer = {"firstName": "Big", "lastName": "Group", "email": "big.group@example.com", "phone": None}
        body = {
            "externalId": "demo-full",
            "customer": customer,
            "items": [{**item, "startTime": session["start_time"]}],
        }
        await self._json(self._roller.post("/bookings", json=body))

    async def _say(self, message: str) -> Json:
        print(f"   you:  {message}")
        body = {"user_message": message, "session_id": self._session, "user_id": "demo"}
        turn = await self._json(self._api.post("/v1/requests", json=body))
        if turn["type"] == "clarification":
            print(f"   asks: {turn['question']}")
            for row in turn.get("candidates", []):
                print(f"         · {row['label']}")
        elif turn["type"] != "plan":
            print(f"   says: {turn['message']}")
        return turn

    async def _plan(self, message: str) -> Json:
        turn = await self._say(message)
        self._expect(turn["type"] == "plan", turn)
        plan: Json = turn["plan"]
        for action in plan["actions"]:
            risk = "  (high risk)" if action["safety_tier"] == "high_risk" else ""
            print(f"   plan: {action['step']}. {action['title']}{risk}")
            for line in action["preview"]:
                was = "" if line.get("before") is None else f"{line['before'] or 'none'} → "
                print(f"            {line['field']}: {was}{line['after'] or 'none'}".replace("\n", " / "))
        return plan

    async def _confirm(self, plan: Json) -> Json:
        print("   you:  (tap) Confirm")
        await self._json(self._api.post(f"/v1/plans/{plan['plan_id']}/confirm", json={"user_id": "demo"}))
        return await self._ended(plan)

    async def _ended(self, plan: Json, statuses: tuple[str, ...] = tuple(_ENDED)) -> Json:
        """Return the plan once it has ended or waits for an answer."""
        for _ in range(600):
            seen = await self._json(self._api.get(f"/v1/plans/{plan['plan_id']}", params={"user_id": "demo"}))
            rolling = seen.get("rollback", {}).get("state", "done") != "done"
            if (seen["status"] in statuses and not rolling) or seen.get("blocking_prompt"):
                break
            await asyncio.sleep(0.05)
        if seen["status"] in _ENDED:
            texts = " ".join(filter(None, (seen.get("failure", {}).get("message"), seen.get("summary"))))
            _say(f"   {seen['status']}: {texts}", fg="green" if seen["status"] == "completed" else "yellow")
            for hint in seen.get("failure", {}).get("suggestions", [])[:2]:
                print(f"         · {hint}")
        return seen

    async def _find(self, name: str) -> Json:
        found = await self._json(self._roller.get("/bookings", params={"keywords": name}))
        self._expect(len(found["bookings"]) == 1, found)
        return await self._booking(found["bookings"][0]["uniqueId"])

    async def _booking(self, booking_id: str) -> Json:
        return await self._json(self._roller.get(f"/bookings/{booking_id}"))

    async def _guest(self, booking: Json) -> Json:
        return await self._json(self._roller.get(f"/guests/{booking['customerId']}"))

    async def _json(self, call: Any) -> Json:
        response: httpx.Response = await call
        self._expect(response.is_success, {"status": response.status_code, "body": response.text})
        body: Json = response.json()
        return body

    def _show(self, before: Json, after: Json) -> None:
        print(f"   ROLLER before: {_line(before)}")
        print(f"   ROLLER after:  {_line(after)}")

    def _next(self, weekday: int) -> date:
        """Return the next such day after today; Monday is 0."""
        return self._today + timedelta(days=(weekday - self._today.weekday() - 1) % 7 + 1)

    @staticmethod
    def _expect(holds: bool, seen: object) -> None:
        if not holds:
            raise TourError(f"this is not what should have come: {seen}")


def _when(booking: Json) -> tuple[str, str]:
    item = booking["items"][0]
    return item["bookingDate"][:10], item["sessionStartTime"][:5]


def _heads(booking: Json) -> int:
    return int(booking["items"][0]["quantity"])


def _content(booking: Json) -> Json:
    return {"when": _when(booking), "heads": _heads(booking), **{k: booking.get(k) for k in ("comments", "status")}}


def _line(booking: Json) -> str:
    note = (booking.get("comments") or "").replace("\n", " / ")
    return (
        f"{booking['bookingReference']} {booking['name']}, {' '.join(_when(booking))}, {_heads(booking)} guests, "
        f"{booking['status']}{f', note: {note}' if note else ''}"
    )


def _say(line: str, **style: Any) -> None:
    """Print a line, in colour only on a terminal and without NO_COLOR (no-color.org)."""
    typer.secho(line, color=False if os.environ.get("NO_COLOR") else None, **style)


async def run(settings: Settings, port_base: int, data: Path | None) -> int:
    """Start a separate stack, run the tour, stop the stack. Return the exit code: 0 if everything went as expected."""
    # The tour prints messages and answers itself; a log line for each call would interrupt it.
    logging.getLogger("api.middleware.request_id").setLevel(logging.WARNING)
    # The tour prints the end of each plan itself.
    logging.getLogger("infra.observability.plan_log").setLevel(logging.CRITICAL)
    if "roller" not in wanted(settings):
        print("The tour is of the ROLLER pack against its sandbox: leave IQ_PACKS and IQ_VENUE_URLS out for it.")
        return 2
    with tempfile.TemporaryDirectory(prefix="iq-demo-") as fresh:
        mine = settings.model_copy(update={"data": data or Path(fresh)})
        print("Starting the stack …")
        async with Stack(mine, Ports(port_base), controls=True) as stack:
            try:
                await _tour(stack)
            except (TourError, httpx.HTTPError) as error:
                _say(f"\n✗ The tour failed: {error}", fg="red", bold=True)
                return 1
    _say("\n✓ Every step went as it should.", fg="green", bold=True)
    return 0


async def _tour(stack: Stack) -> None:
    token = {"Authorization": f"Bearer {DEMO_TOKEN}"}
    if stack.settings.service_keys:
        token["X-Service-Key"] = stack.settings.service_keys[0]

    def client(port: int) -> httpx.AsyncClient:
        return httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", headers=token, timeout=40)

    async with client(stack.ports.facade) as api, client(stack.ports.roller) as roller:
        zone = (await roller.get("/venues/me")).json()["ianaTimeZone"]
        await Tour(api, roller, datetime.now(ZoneInfo(zone)).date()).run()
