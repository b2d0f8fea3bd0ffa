"""What must hold after every scenario, whatever went wrong in it."""

from collections import Counter
from dataclasses import dataclass
from typing import Any

from tests.chaos.scenario import GUESTS, NOTE, PHONE, TIME, Scenario
from tests.support.roller import content

_AFTER = {"update_contact": PHONE, "change_guest_count": GUESTS, "edit_note": NOTE, "reschedule_booking": TIME}
_DONE = ("reversed", "not_needed")


@dataclass(slots=True)
class Ground:
    """A booking and its guest at one moment."""

    booking: dict[str, Any]
    guest: dict[str, Any]

    @property
    def values(self) -> dict[str, Any]:
        """By action, the one value that it changes."""
        [item] = self.booking["items"]
        return {
            "update_contact": self.guest.get("phone"),
            "change_guest_count": item["quantity"],
            "edit_note": self.booking.get("comments") or "",
            "reschedule_booking": item["sessionStartTime"],
        }

    @property
    def rest(self) -> dict[str, Any]:
        """Everything that no action of a scenario may touch."""
        told = content(self.booking)
        items = [{k: v for k, v in i.items() if k not in ("quantity", "sessionStartTime")} for i in told["items"]]
        guest = {k: v for k, v in self.guest.items() if k != "phone"}
        return {**told, "items": items, "comments": None, "guest": guest}


@dataclass(slots=True)
class Ending:
    """Everything that is looked at once a scenario is over. `plan` is None when it never settled."""

    scenario: Scenario
    plan: dict[str, Any] | None
    before: Ground
    now: Ground
    journal: list[dict[str, Any]]
    tokens: list[str]
    slot_holder: str | None
    problems: list[str]
    phone: list[str]


def violations(end: Ending) -> list[str]:
    """Every way in which the scenario broke a promise, in words."""
    found = [*end.problems, *end.phone, *_journal(end)]
    if end.now.rest != end.before.rest:
        found.append(f"something else was changed: {end.before.rest} became {end.now.rest}")
    if end.tokens:
        found.append(f"the vault still holds {len(end.tokens)} token(s) of an ended plan")
    if end.slot_holder is not None:
        found.append("the question slot was not given back")
    if end.plan is None:
        return [*found, "the plan did not settle"]
    return [*found, *_agreement(end, end.plan)]


def _journal(end: Ending) -> list[str]:
    seen = Counter(_meaning(row, end) for row in end.journal)
    found = [f"{what} was written {n} times" for what, n in seen.items() if n > 1]
    found += [f"a write nobody asked for: {what}" for what in seen if what.startswith("?")]
    return found


def _meaning(row: dict[str, Any], end: Ending) -> str:
    """Which write this is: the forward one of a step, or its reversal."""
    body = row["body"]
    if row["operation"] == "update-guest-detail":
        return "step update_contact" if body["phone"] == PHONE else "reversal of update_contact"
    mark = body.get("metadata", {}).get("iq_ref", "")
    if mark:
        return f"step {mark}"
    if set(body) == {"comments"}:
        return "reversal of edit_note"
    if set(body) == {"idsToRemove", "newItems"}:
        [item] = body["newItems"]
        for action in ("change_guest_count", "reschedule_booking"):
            if action in end.scenario.steps and (item["quantity"], item["startTime"]) == _before_step(action, end):
                return f"reversal of {action}"
    return f"? {body}"


def _before_step(action: str, end: Ending) -> tuple[int, str]:
    """Guests and start time as the plan found them before this step."""
    earlier = end.scenario.steps[: end.scenario.steps.index(action)]
    values = end.before.values
    guests = GUESTS if "change_guest_count" in earlier else values["change_guest_count"]
    return guests, TIME if "reschedule_booking" in earlier else values["reschedule_booking"]


def _agreement(end: Ending, plan: dict[str, Any]) -> list[str]:
    """Whether the booking is as the plan says."""
    status, report = plan["status"], plan.get("rollback_report")
    match status:
        case "completed":
            return _all(end, _AFTER, "completed, but")
        case "failed" | "cancelled" if report is None:
            found = _all(end, end.before.values, f"{status} with nothing to undo, but")
            return found + ([f"{status} without a rollback, but the venue was written to"] if end.journal else [])
        case "rolled_back" if report is not None:
            return _reported(end, plan, report)
    return [f"the plan ended as {status} with report {report}"]


def _reported(end: Ending, plan: dict[str, Any], report: dict[str, Any]) -> list[str]:
    open_steps = {row["step"] for row in report["steps"] if row["outcome"] not in _DONE}
    found = []
    if (report["outcome"] == "complete") != (not open_steps):
        found.append(f"the report is {report['outcome']} with open steps {sorted(open_steps)}")
    if open_steps and len(report["manual_steps"]) != len(open_steps):
        found.append(f"{len(open_steps)} open steps, {len(report['manual_steps'])} manual ones")
    reference = end.before.booking["bookingReference"]
    found += [f"a manual step names no booking: {m}" for m in report["manual_steps"] if reference not in m]
    for number, action in enumerate(end.scenario.steps, 1):
        now, before = end.now.values[action], end.before.values[action]
        if number not in open_steps and now != before:
            found.append(f"step {number} ({action}) still stands at {now!r} and nobody is told")
        if now not in (before, _AFTER[action]):
            found.append(f"step {number} ({action}) is neither as before nor as asked: {now!r}")
    applied = {row["step"] for row in plan["results"] if row["status"] == "completed"}
    told = {row["step"] for row in report["steps"]}
    found += [f"step {n} was completed and the report does not mention it" for n in sorted(applied - told)]
    return found


def _all(end: Ending, wanted: dict[str, Any], why: str) -> list[str]:
    return [
        f"{why} {action} is at {end.now.values[action]!r} instead of {wanted[action]!r}"
        for action in end.scenario.steps
        if end.now.values[action] != wanted[action]
    ]
