"""The model of a chaos scenario; `drawing` draws it from a seed.

A scenario is a plan of three or four steps on a fresh booking and one or two disturbances, each at a place: a call that
the plan makes to the model or the venue, or a command that its operator sends. Every step boundary and the inside of
every step has such a call: the plan calls the model at a boundary, reads a snapshot, sends the write and gets its
answer, reads the booking back; each compensation reads, writes and checks.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from tests.support.asking import asking
from tests.support.hostile_proxy import Trick

PHONE, EMAIL, GUESTS, NOTE, TIME = "+61412345678", "new.address@example.com", 14, "Cake at noon", "15:00"
STEPS: dict[str, tuple[str, dict[str, Any]]] = {
    "update_contact": ("update_contact", {"phone": PHONE}),
    "change_guest_count": ("change_guest_count", {"guest_count": GUESTS}),
    "edit_note": ("edit_note", {"note": NOTE}),
    "reschedule_booking": ("reschedule_booking", {"new_start_time": TIME}),
    "update_email": ("update_contact", {"email": EMAIL}),
}
"""By step, its action and what is asked for. Each changes something of its own: phone, guests, note, start time,
e-mail address (of the same guest, by way of another booking)."""


def plan_message(steps: Sequence[str], whose: str, *references: str) -> str:
    """Return the operator's message for these steps and no others: a value that the message lacks, and a request that
    no step covers, never reach a plan. `references` of the booking, and of the one whose e-mail address changes where
    they are two."""
    if len(references) < 2:
        return asking(" ".join((whose, *references)), *(STEPS[step] for step in steps))
    parts = [asking(references[step == "update_email"], STEPS[step]) for step in steps]
    return f"for {whose}, {'; '.join(parts)}"


WORDS = ("confirm", "yes", "answer", "cancel", "undo")
"""What an operator may say that takes effect; `yes` is a confirm that is typed."""
PROCESS_KINDS = frozenset({"worker", "temporal", "kill_hang", "redis", "line"})
"""Disturbances of parts that others share: a scenario with one of these runs alone on its stack."""
KINDS = ("worker", "kill_hang", "temporal", "redis", "line", "fault", "sign_out", "cancel", "workflow_cancel",
         "writer", "rival", "proxy")  # fmt: skip

_PLACES = {"reason": "the model is asked", "take_snapshot": "snapshot", "act": "act", "undo_step": "reversal",
           "read_back": "read-back of a lost write", "word": "the operator's word"}  # fmt: skip
_STRIKES = {
    "worker": "worker SIGKILLed, a new one after {wait} s",
    "kill_hang": "the venue hangs for {seconds} s and the worker is SIGKILLed meanwhile, a new one after {wait} s",
    "temporal": "Temporal ended by {how}, going on after {wait} s",
    "redis": "Redis: {how}, going on after {wait} s",
    "line": "Temporal's line to the facade: {how} for {wait} s",
    "cancel": "cancel over HTTP",
    "workflow_cancel": "Temporal workflow cancel",
    "writer": "staff write: {how}",
    "rival": "another operator's plan at the same booking: {how}",
}


@dataclass(frozen=True, slots=True)
class Place:
    """Where a disturbance happens: the `nth` scheduling of an activity, a part of its calls, before the call reaches
    its server or after its answer; the call continues `linger` seconds later. Or an operator's command: `part` names
    it, and the disturbance happens just before it is sent."""

    activity: str
    nth: int
    part: str
    after: bool = False
    linger: float = 0.0

    def __str__(self) -> str:
        side = "answered, not yet heard" if self.after else "about to be sent"
        late = f", {self.linger} s later" if self.linger else ""
        return f"{_PLACES[self.activity]} {self.nth} ({self.part} {side}{late})"


@dataclass(frozen=True, slots=True)
class Disturbance:
    """One fault. `wait`: seconds until a killed or stalled part recovers, or until the operator signs in again (None:
    never)."""

    kind: str
    place: Place
    wait: float | None = 0.0
    how: str = ""
    fault: dict[str, Any] = field(default_factory=dict)
    trick: Trick | None = None

    def __str__(self) -> str:
        if self.kind == "fault":
            more = " ".join(f"{k}={v}" for k, v in self.fault.items() if k != "effect")
            what = f"venue fault {self.fault['effect']} {more}".strip()
        elif self.kind == "sign_out":
            then = "nobody signs in again" if self.wait is None else f"signed in after {self.wait} s"
            what = f"token expires, {then}"
        elif self.kind == "proxy":
            what = f"the proxy: {self.trick}"
        else:
            what = _STRIKES[self.kind].format(wait=self.wait, how=self.how, seconds=self.fault.get("seconds"))
        return f"{what} at {self.place}"


@dataclass(frozen=True, slots=True)
class Scenario:
    """One scenario. `fails_at`: the step that the venue refuses, so that a rollback follows; `asks_at`: the step before
    which the model asks the operator; `phone`: a client polls over HTTP all along; `booking`: the kind of booking;
    `ids`: whether steps name it by id, by reference, or in turn; `assent`: whether the operator confirms or types
    "yes"; `retries`: how often the operator's client repeats a command after no answer or a 503; `undoes`: whether the
    operator undoes the completed plan; `together`: whether its venue allows parallel steps; `busy`: whether other
    programs keep the machine so busy that any call may time out."""

    seed: int
    steps: tuple[str, ...]
    disturbances: tuple[Disturbance, ...]
    fails_at: int | None = None
    asks_at: int | None = None
    phone: bool = False
    booking: str = "plain"
    ids: str = "id"
    assent: str = "confirm"
    retries: int = 3
    undoes: bool = False
    together: bool = False
    busy: bool = False

    @property
    def family(self) -> bool:
        """Return whether a second booking of the same guest is part of it."""
        return "update_email" in self.steps

    @property
    def alone(self) -> bool:
        """Return whether it needs a stack to itself."""
        return any(d.kind in PROCESS_KINDS for d in self.disturbances)

    def has(self, *kinds: str) -> bool:
        """Return whether one of these kinds of faults is part of it."""
        return any(d.kind in kinds for d in self.disturbances)

    def __str__(self) -> str:
        shown = [
            (self.fails_at, f"step {self.fails_at} is refused"),
            (self.asks_at, f"a question before step {self.asks_at}"),
            (self.phone, "a phone polls"),
            (self.booking != "plain", f"the booking: {self.booking}"),
            (self.ids != "id", f"named by {self.ids}"),
            (self.assent == "yes", "a typed yes"),
            (self.undoes, "undone once completed"),
            (self.together, "steps side by side"),
            (self.retries == 0, "no word is repeated"),
        ]
        extra = "".join(f"; {text}" for holds, text in shown if holds)
        return f"seed {self.seed}: {', '.join(self.steps)}{extra}. " + "; ".join(str(d) for d in self.disturbances)
