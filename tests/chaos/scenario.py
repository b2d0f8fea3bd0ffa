"""What happens in one chaos scenario, drawn from its seed and from nothing else.

A scenario is a plan of three steps on a fresh booking and one or two disturbances, each at a place: a call that the
plan makes to the model or the venue. Every step boundary and the inside of every step has such a call: the model is
asked at a boundary, a snapshot is read, the write is sent and answered, the booking is read back; each reversal reads,
writes and looks again.
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

PHONE, GUESTS, NOTE, TIME = "+61412345678", 14, "Cake at noon", "15:00"
ACTIONS: dict[str, dict[str, Any]] = {
    "update_contact": {"phone": PHONE},
    "change_guest_count": {"guest_count": GUESTS},
    "edit_note": {"note": NOTE},
    "reschedule_booking": {"new_start_time": TIME},
}
SAID = f"phone {PHONE}, {GUESTS} guests, at {TIME}, and a note"
"""The operator's words for any of these: a value nobody said does not reach a plan."""
"""Each action changes something of its own: phone, guests, note, start time."""

KINDS = ("worker", "temporal", "fault", "sign_out", "cancel", "workflow_cancel")
_PARTS = {"reason": ("call",), "take_snapshot": ("read",), "act": ("write", "check"),
          "undo_step": ("read", "write", "check"), "read_back": ("read",)}  # fmt: skip
_WORDS = {"reason": "the model is asked", "take_snapshot": "snapshot", "act": "act", "undo_step": "reversal",
          "read_back": "read-back of a lost write"}  # fmt: skip

_READ_FAULTS: tuple[dict[str, Any], ...] = (
    {"effect": "status", "status": 500}, {"effect": "status", "status": 503}, {"effect": "status", "status": 404},
    {"effect": "hang", "seconds": 0.6}, {"effect": "hang", "seconds": 2.6}, {"effect": "drop_before"},
    {"effect": "drop_after"}, {"effect": "rate_limit", "seconds": 1}, {"effect": "delay", "seconds": 2.6},
)  # fmt: skip
_WRITE_FAULTS: tuple[dict[str, Any], ...] = (
    *_READ_FAULTS, {"effect": "status", "status": 409}, {"effect": "status", "status": 429},
    {"effect": "status", "status": 400}, {"effect": "status", "status": 502}, {"effect": "status", "status": 504},
    {"effect": "hang", "seconds": 3.4}, {"effect": "delay", "seconds": 0.8},
)  # fmt: skip
"""Hangs are shorter than the call time-out and the venue's settle time together: what comes later than that, nobody
can know of."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a disturbance strikes: the `nth` scheduling of an activity, a part of its calls, before the call reaches
    its server or after it was answered; `linger` seconds later the call goes on meanwhile."""

    activity: str
    nth: int
    part: str
    after: bool = False
    linger: float = 0.0

    def __str__(self) -> str:
        side = "answered, not yet heard" if self.after else "about to be sent"
        late = f", {self.linger} s later" if self.linger else ""
        return f"{_WORDS[self.activity]} {self.nth} ({self.part} {side}{late})"


@dataclass(frozen=True, slots=True)
class Disturbance:
    """One thing that goes wrong. `wait`: seconds until a killed part is started again, or until the operator signs in
    again (None: never)."""

    kind: str
    place: Place
    wait: float | None = 0.0
    how: str = ""
    fault: dict[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        match self.kind:
            case "worker":
                what = f"worker SIGKILLed, a new one after {self.wait} s"
            case "temporal":
                what = f"Temporal ended by {self.how}, started again after {self.wait} s"
            case "fault":
                more = " ".join(f"{k}={v}" for k, v in self.fault.items() if k != "effect")
                what = f"venue fault {self.fault['effect']} {more}".strip()
            case "sign_out":
                what = "token expires, " + (
                    "nobody signs in again" if self.wait is None else f"signed in after {self.wait} s"
                )
            case "cancel":
                what = "cancel over HTTP"
            case _:
                what = "Temporal workflow cancel"
        return f"{what} at {self.place}"


@dataclass(frozen=True, slots=True)
class Scenario:
    """One scenario. `fails_at`: the step that the venue refuses, so that a rollback follows; `asks_at`: the step before
    which the model asks the operator; `phone`: a client polls over HTTP all along."""

    seed: int
    steps: tuple[str, ...]
    disturbances: tuple[Disturbance, ...]
    fails_at: int | None = None
    asks_at: int | None = None
    phone: bool = False

    def __str__(self) -> str:
        steps = ", ".join(self.steps)
        extra = f"; step {self.fails_at} is refused" if self.fails_at else ""
        extra += f"; a question before step {self.asks_at}" if self.asks_at else ""
        extra += "; a phone polls" if self.phone else ""
        return f"seed {self.seed}: {steps}{extra}. " + "; ".join(str(d) for d in self.disturbances)


def draw(seed: int) -> Scenario:
    """The scenario of a seed."""
    rng = random.Random(seed)
    steps = tuple(rng.sample(sorted(ACTIONS), 3))
    during_rollback = rng.random() < 0.45
    fails_at = rng.choice((2, 3)) if during_rollback else rng.choice((None, None, None, 3))
    if during_rollback and rng.random() < 0.35:
        # A cancel, instead of a refusal, makes the plan roll back.
        at = Place(rng.choice(("act", "take_snapshot")), fails_at or 2, "write")
        at = Place(at.activity, at.nth, _PARTS[at.activity][0], rng.random() < 0.5)
        cancel = Disturbance(rng.choice(("cancel", "workflow_cancel")), at)
        chosen: tuple[Disturbance, ...] = (cancel, _disturbance(rng, _rollback(rng, 1)))
        fails_at = None
    elif during_rollback:
        place = _rollback(rng, (fails_at or 2) - 1)
        chosen = _maybe_another(rng, _disturbance(rng, place), place)
    else:
        place = _forward(rng)
        chosen = _maybe_another(rng, _disturbance(rng, place), place)
    return Scenario(
        seed=seed,
        steps=steps,
        disturbances=chosen,
        fails_at=fails_at,
        asks_at=2 if rng.random() < 0.12 else None,
        phone=rng.random() < 0.5,
    )


def _maybe_another(rng: random.Random, first: Disturbance, place: Place) -> tuple[Disturbance, ...]:
    if rng.random() < 0.5:
        return (first,)
    choices = [_forward(rng), _rollback(rng, 2)]
    if place.activity == "act":
        choices.append(Place("read_back", 1, "read", rng.random() < 0.3))
    if place.activity == "undo_step":
        choices = [_rollback(rng, place.nth)]
    return (first, _disturbance(rng, rng.choice(choices)))


def _forward(rng: random.Random) -> Place:
    return _place(rng, ("reason", "take_snapshot", "act", "act"), (1, 2, 3))


def _rollback(rng: random.Random, deepest: int) -> Place:
    return _place(rng, ("undo_step",), range(1, deepest + 1))


def _place(rng: random.Random, activities: Sequence[str], numbers: Sequence[int]) -> Place:
    activity = rng.choice(activities)
    linger = rng.choice((0.0, 0.0, 0.0, 0.03, 0.15))
    return Place(activity, rng.choice(numbers), rng.choice(_PARTS[activity]), rng.random() < 0.45, linger)


def _disturbance(rng: random.Random, place: Place) -> Disturbance:
    kinds = ["worker", "worker", "temporal", "cancel", "workflow_cancel"]
    if place.activity != "reason":
        kinds += ["fault", "fault", "fault", "sign_out"]
    kind = rng.choice(kinds)
    if kind in ("fault", "sign_out"):
        # These lie in wait for the call itself.
        place = Place(place.activity, place.nth, place.part)
    match kind:
        case "worker":
            return Disturbance(kind, place, wait=rng.choice((0.0, 0.0, 1.0, 3.0)))
        case "temporal":
            return Disturbance(kind, place, wait=rng.choice((0.0, 0.5, 1.5)), how=rng.choice(("SIGTERM", "SIGKILL")))
        case "fault":
            fault = dict(rng.choice(_WRITE_FAULTS if place.part == "write" else _READ_FAULTS))
            return Disturbance(kind, place, fault=fault | {"times": rng.choice((1, 1, 1, 2, 3))})
        case "sign_out":
            return Disturbance(kind, place, wait=rng.choice((0.7, 2.0, None)))
    return Disturbance(kind, place)
