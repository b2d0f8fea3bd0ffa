"""The invariants that hold after every scenario, whatever faults it had."""

import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from tests.e2e.chaos.expected import unexpected
from tests.e2e.chaos.ground import Ground
from tests.e2e.chaos.reports import Shown, contradictions
from tests.e2e.chaos.scenario import EMAIL, GUESTS, NOTE, PHONE, TIME, Disturbance, Scenario
from tests.e2e.chaos.second_writer import Change, erased
from tests.support.roller import PARTY

_AFTER = {
    "update_contact": PHONE,
    "update_email": EMAIL,
    "change_guest_count": GUESTS,
    "edit_note": NOTE,
    "reschedule_booking": TIME,
}
_DONE = ("reversed", "not_needed")
_OTHERS = re.compile(r"somebody else|another plan", re.IGNORECASE)
_NOT_SENT = re.compile(r"(?:was not|nothing was) sent", re.IGNORECASE)


@dataclass(slots=True)
class Ending:
    """Everything that is checked once a scenario is over. `plan` is None when it never settled; `journal` is the
    venue's, and `writes` the rows of it that belong to the plan. `foreign`: what the plan wrote elsewhere; `sent`: the
    steps whose write reached the proxy; `doubled`: the writes that the proxy itself forwarded once more."""

    scenario: Scenario
    fired: Sequence[Disturbance]
    plan: dict[str, Any] | None
    before: Ground
    now: Ground
    references: Sequence[str]
    journal: list[dict[str, Any]]
    writes: list[dict[str, Any]]
    tokens: list[str]
    slot_holder: str | None
    shown: Shown
    foreign: Sequence[dict[str, Any]] = ()
    sent: frozenset[int] = frozenset()
    doubled: Counter[str] = field(default_factory=Counter)
    staff: Sequence[Change] = ()
    problems: list[str] = field(default_factory=list)


def violations(end: Ending) -> list[str]:
    """Return every way in which the scenario broke a promise, in words."""
    found = [*end.problems, *_journal(end), *erased(end.staff, end.now.booking, end.now.guest)]
    if end.now.rest != end.before.rest:
        found.append(f"something else was changed: {_difference(end.before.rest, end.now.rest)}")
    if end.tokens:
        found.append(f"the vault still holds {len(end.tokens)} token(s) of an ended plan")
    if end.slot_holder is not None:
        found.append("the question slot was not given back")
    if end.plan is None:
        return [*found, "the plan did not settle"]
    if end.shown.taken("cancel") and end.plan["status"] == "completed":
        found.append("a cancel was accepted and the plan was completed all the same")
    moments = [datetime.fromisoformat(row["at"]).timestamp() for row in end.writes]
    found += contradictions(end.shown, end.plan, moments)
    found += unexpected(end.scenario, end.fired, end.shown, end.plan)
    return [*found, *_agreement(end, end.plan), *_blamed(end, end.plan), *_unsent(end, end.plan)]


def _difference(before: dict[str, Any], now: dict[str, Any]) -> str:
    return "; ".join(f"{key}: {before[key]} became {now[key]}" for key in before if before[key] != now[key])


def _journal(end: Ending) -> list[str]:
    seen = Counter(_meanings(end))
    found = [f"{what} was written {n} times" for what, n in seen.items() if n > 1]
    found += [f"something of somebody else's was written to: {row['operation']} {row['target']}" for row in end.foreign]
    return found + [f"a write nobody asked for: {what}" for what in seen if what.startswith("?")]


def _meanings(end: Ending) -> Iterator[str]:
    """Yield the meaning of each of the plan's writes: a step's forward write, or its compensation."""
    own = {row["seq"] for row in end.writes} - _by_the_proxy(end)
    guest = dict(end.before.guest)
    for row in end.journal:
        if row["operation"] == "update-guest-detail":
            if row["seq"] in own:
                yield _of_guest(guest, row["body"], end.before.guest)
            guest = row["body"]
        elif row["seq"] in own:
            yield _of_booking(row["body"], end)


def _by_the_proxy(end: Ending) -> set[int]:
    """Return the rows of writes that the proxy forwarded once more."""
    found, left, seen = set[int](), Counter(end.doubled), set[str]()
    for row in end.writes:
        what = identity(row["target"], row["body"])
        if what in seen and left[what]:
            left[what] -= 1
            found.add(row["seq"])
        seen.add(what)
    return found


def identity(target: Any, body: Any) -> str:
    """Return what makes two writes the same."""
    return f"{target} {json.dumps(body, sort_keys=True)}"


def _of_guest(stood: dict[str, Any], body: dict[str, Any], before: dict[str, Any]) -> str:
    """Name a write of a guest by what it changes, because each write sends the whole guest."""
    changed = {key for key in ("phone", "email", "address") if body.get(key) != stood.get(key)}
    for key, step in (("phone", "update_contact"), ("email", "update_email")):
        if changed == {key} and body[key] in (_AFTER[step], before.get(key)):
            return f"{'step' if body[key] == _AFTER[step] else 'reversal of'} {step}"
    return f"? guest, {sorted(changed) or 'as it stood'}: {body}"


def _of_booking(body: dict[str, Any], end: Ending) -> str:
    mark = (body.get("metadata") or {}).get("iq_ref", "")
    if mark:
        return f"step {mark}"
    if set(body) == {"comments"}:
        return "reversal of edit_note"
    if set(body) == {"idsToRemove", "newItems"}:
        item: dict[str, Any] = next((i for i in body["newItems"] if i["productId"] == PARTY), {})
        for action in ("change_guest_count", "reschedule_booking"):
            if action in end.scenario.steps and (item.get("quantity"), item.get("startTime")) == _before_step(
                action, end
            ):
                return f"reversal of {action}"
    return f"? {body}"


def _before_step(action: str, end: Ending) -> tuple[int, str]:
    """Return guests and start time as the plan found them before this step."""
    earlier = end.scenario.steps[: end.scenario.steps.index(action)]
    values = end.before.values
    guests = GUESTS if "change_guest_count" in earlier else values["change_guest_count"]
    return guests, TIME if "reschedule_booking" in earlier else values["reschedule_booking"]


def _agreement(end: Ending, plan: dict[str, Any]) -> list[str]:
    """Return where the booking disagrees with the plan's report."""
    status, report = plan["status"], plan.get("rollback_report")
    match status:
        case "completed":
            return _all(end, _AFTER, "completed, but")
        case "failed" | "cancelled" | "pending_confirmation" | "expired" if report is None:
            found = _all(end, end.before.values, f"{status} with nothing to undo, but")
            return found + ([f"{status} without a rollback, but the venue was written to"] if end.writes else [])
        case "rolled_back" if report is not None:
            return _reported(end, plan, report)
    return [f"the plan ended as {status} with report {report}"]


def _reported(end: Ending, plan: dict[str, Any], report: dict[str, Any]) -> list[str]:
    open_steps = {row["step"] for row in report["steps"] if row["outcome"] not in _DONE}
    found = []
    if (report["outcome"] == "complete") != (not open_steps):
        found.append(f"the report is {report['outcome']} with open steps {sorted(open_steps)}")
    if open_steps and len(report["manual_steps"]) < len(open_steps):
        found.append(f"{len(open_steps)} open steps, {len(report['manual_steps'])} manual ones")
    found += [
        f"a manual step names no booking: {manual}"
        for manual in report["manual_steps"]
        if not any(reference in manual for reference in end.references)
    ]
    for number, step in enumerate(end.scenario.steps, 1):
        now, before = end.now.values[step], end.before.values[step]
        if number not in open_steps and now != before:
            found.append(f"step {number} ({step}) still stands at {now!r} and nobody is told")
        if now not in (before, _AFTER[step]):
            found.append(f"step {number} ({step}) is neither as before nor as asked: {now!r}")
    ended = sorted((r for r in plan["results"] if r["status"] == "completed"), key=lambda r: str(r["finished_at"]))
    in_reverse = [row["step"] for row in reversed(ended)]
    undone = [row["step"] for row in report["steps"] if row["step"] in in_reverse]
    if undone != in_reverse:
        found.append(f"steps ended as {in_reverse[::-1]} and were undone as {undone}")
    applied = {row["step"] for row in plan["results"] if row["status"] == "completed"}
    shown = {row["step"] for row in report["steps"]}
    found += [f"step {n} was completed and the report does not mention it" for n in sorted(applied - shown)]
    return found


def _blamed(end: Ending, plan: dict[str, Any]) -> list[str]:
    """Return reports that blame others for a change, where there were none."""
    report = plan.get("rollback_report") or {"steps": [], "manual_steps": []}
    texts = [*(row["message"] for row in report["steps"]), *report["manual_steps"]]
    return [f"others are blamed, and there were none: {t}" for t in texts if _OTHERS.search(t) and not end.staff]


def _unsent(end: Ending, plan: dict[str, Any]) -> list[str]:
    """Return steps that the plan reports as not sent, and that were sent."""
    return [
        f"step {row['step']} was sent, and its result is: {row['message']}"
        for row in plan["results"]
        if row["step"] in end.sent and _NOT_SENT.search(row["message"])
    ]


def _all(end: Ending, wanted: dict[str, Any], why: str) -> list[str]:
    return [
        f"{why} {step} is at {end.now.values[step]!r} instead of {wanted[step]!r}"
        for step in end.scenario.steps
        if end.now.values[step] != wanted[step]
    ]
