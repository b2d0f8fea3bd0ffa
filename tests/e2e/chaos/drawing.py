"""Draws a scenario from its seed and from nothing else."""

import random
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from tests.e2e.chaos.scenario import STEPS, Disturbance, Place, Scenario
from tests.e2e.chaos.second_writer import CHANGES
from tests.support.hostile_proxy import a_trick
from tests.support.process_stack import SETTLE

_PARTS = {"reason": ("call",), "take_snapshot": ("read",), "act": ("write", "check"),
          "undo_step": ("read", "write", "check"), "read_back": ("read",)}  # fmt: skip

READ_FAULTS: tuple[dict[str, Any], ...] = (
    {"effect": "status", "status": 500}, {"effect": "status", "status": 503}, {"effect": "status", "status": 404},
    {"effect": "hang", "seconds": 0.6}, {"effect": "hang", "seconds": 2.6}, {"effect": "drop_before"},
    {"effect": "drop_after"}, {"effect": "rate_limit", "seconds": 1}, {"effect": "delay", "seconds": 2.6},
)  # fmt: skip
WRITE_FAULTS: tuple[dict[str, Any], ...] = (
    *READ_FAULTS, {"effect": "status", "status": 409}, {"effect": "status", "status": 429},
    {"effect": "status", "status": 400}, {"effect": "status", "status": 502}, {"effect": "status", "status": 504},
    {"effect": "hang", "seconds": 3.4}, {"effect": "delay", "seconds": 0.8},
)  # fmt: skip
"""Hangs are shorter than the call time-out and the venue's settle time together: what comes later than that, nobody
can know of."""


_WITHOUT_TRICKS = 0.3


def draw(seed: int, *, together: bool = False) -> Scenario:
    """Return the scenario of a seed; `together`: with a step on another booking, which may act in parallel."""
    drawn = _behind_the_proxy(_draw(seed))
    if not together:
        return drawn
    drawn = replace(drawn, together=True)
    if drawn.has("writer", "rival"):
        return drawn
    rng = random.Random(f"together {seed}")
    steps = [*rng.sample(sorted(set(STEPS) - {"update_email", "update_contact"}), 2), "update_email"]
    rng.shuffle(steps)
    return replace(drawn, steps=tuple(steps))


def _behind_the_proxy(scenario: Scenario) -> Scenario:
    """Return the scenario with the faults that the proxy before its venue adds to its writes, and now and then to its
    reads."""
    rng = random.Random(f"proxy {scenario.seed}")
    if rng.random() < _WITHOUT_TRICKS:
        return scenario
    taken = {one.place for one in scenario.disturbances}
    return replace(scenario, disturbances=(*scenario.disturbances, *_tricks(rng, scenario, taken)))


def _tricks(rng: random.Random, scenario: Scenario, taken: set[Place]) -> Iterator[Disturbance]:
    rolls_back = scenario.fails_at is not None or scenario.has("cancel", "workflow_cancel")
    places = [Place("act", number, "write") for number in (1, 2, 3) if number != scenario.fails_at]
    places += [Place("undo_step", number, "write") for number in (1, 2)] if rolls_back or scenario.undoes else []
    places = [place for place in places if place not in taken]
    for place in rng.sample(places, min(len(places), rng.choice((1, 1, 2)))):
        trick = a_trick(rng, SETTLE)
        if scenario.has("writer"):
            # No client can see what staff write between a call and its late effect, so no scenario writes then.
            trick = replace(trick, late=None)
        yield Disturbance("proxy", place, trick=trick)


def _draw(seed: int) -> Scenario:
    rng = random.Random(seed)
    kind = rng.choice((_broken,) * 10 + (_written,) * 4 + (_rivalled,) + (_store,) * 2 + (_worded,) * 3)
    drawn = kind(rng, seed)
    return replace(
        drawn,
        phone=rng.random() < 0.5,
        booking=rng.choice(("plain", "plain", "plain", "several", "agreed", "discounted", "inclusions")),
        ids=rng.choice(("id", "id", "id", "reference", "in turn")),
    )


def _steps(rng: random.Random, family: float = 0.12) -> tuple[str, ...]:
    usual = rng.sample(sorted(set(STEPS) - {"update_email"}), 3)
    if rng.random() < family:
        usual = ["update_contact", *[s for s in usual if s != "update_contact"][:1], "update_email"]
        rng.shuffle(usual)
    return tuple(usual)


def _broken(rng: random.Random, seed: int) -> Scenario:
    """Draw dying parts, a failing venue or a cancel: on the way forward and on the way back."""
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
    return Scenario(seed, _steps(rng), chosen, fails_at=fails_at, asks_at=2 if rng.random() < 0.12 else None)


def _written(rng: random.Random, seed: int) -> Scenario:
    """Draw a change of the booking by staff."""
    steps = _steps(rng, family=0)
    what = rng.choice(CHANGES)
    stage = rng.choice(("snapshot", "boundary", "question", "undo", "rollback"))
    places = {
        "snapshot": Place("take_snapshot", rng.choice((1, 2, 3)), "read", after=True),
        "boundary": Place("reason", rng.choice((2, 3)), "call"),
        "question": Place("word", 1, "answer"),
        "undo": Place("word", 1, "undo"),
        # A change between a compensation's read and its write goes unseen, so no scenario makes one there.
        "rollback": Place("undo_step", rng.choice((1, 2)), "read"),
    }
    chosen = [Disturbance("writer", places[stage], how=what)]
    if stage == "boundary" and rng.random() < 0.5:
        # While the outcome of a write is unknown, staff set the value that it would have changed.
        lost = Disturbance(
            "fault", Place("act", rng.choice((1, 2)), "write"), fault={"effect": "drop_before", "times": 1}
        )
        chosen = [lost, replace(chosen[0], place=Place("read_back", 1, "read"))]
    cancelled = stage == "question" and rng.random() < 0.6
    if cancelled:
        chosen.append(Disturbance("cancel", Place("act", 2, "check")))
    return Scenario(
        seed,
        steps,
        tuple(chosen),
        fails_at=3 if stage == "rollback" or (stage == "snapshot" and rng.random() < 0.3) else None,
        asks_at=2 if stage == "question" else None,
        undoes=stage == "undo" or (not cancelled and stage != "rollback" and rng.random() < 0.5),
    )


def _rivalled(rng: random.Random, seed: int) -> Scenario:
    """Draw another operator's plan, confirmed while this one runs."""
    activity, nth = rng.choice((("reason", 1), ("take_snapshot", 1), ("reason", 2), ("take_snapshot", 2), ("act", 1)))
    place = Place(activity, nth, _PARTS[activity][0], after=activity != "reason")
    rival = Disturbance("rival", place, how=rng.choice(("note", "email")))
    return Scenario(seed, _steps(rng, family=0), (rival,), undoes=rng.random() < 0.3)


def _store(rng: random.Random, seed: int) -> Scenario:
    """Draw a Redis that stalls, is restarted, or is unavailable for a while."""
    asks_at = 2 if rng.random() < 0.3 else None
    undoes = rng.random() < 0.3
    words = ["confirm", *(["answer"] if asks_at else []), *(["undo"] if undoes else [])]
    place = Place("word", 1, rng.choice(words)) if rng.random() < 0.4 else _forward(rng)
    fails_at = 3 if place.activity != "word" and rng.random() < 0.25 else None
    chosen = [_of_store(rng, place)]
    if place.activity == "act" and rng.random() < 0.6:
        # Redis and the write's other dependencies, at once.
        hang = Disturbance("fault", replace(place, after=False, linger=0.0), fault=_hang(rng.choice((0.6, 3.4))))
        chosen.append(rng.choice((hang, Disturbance("temporal", place, wait=5.0, how="SIGSTOP"))))
    return Scenario(
        seed,
        _steps(rng),
        tuple(chosen),
        fails_at=fails_at,
        asks_at=asks_at,
        undoes=undoes,
        retries=rng.choice((0, 3)),
    )


def _hang(seconds: float) -> dict[str, Any]:
    return {"effect": "hang", "seconds": seconds, "times": 1}


def _of_store(rng: random.Random, place: Place) -> Disturbance:
    how = rng.choice(("stall", "stall", "restart", "gone"))
    wait = {"stall": rng.choice((0.5, 1.5, 3.0)), "restart": 0.0, "gone": 6.0}[how]
    return Disturbance("redis", place, wait=wait, how=how)


def _worded(rng: random.Random, seed: int) -> Scenario:
    """Draw a fault just as the operator sends a command."""
    word = rng.choice(("confirm", "confirm", "yes", "answer", "cancel", "undo", "undo"))
    place = Place("word", 1, word)
    kind = rng.choice(("line", "line", "line", "worker", "temporal", "redis"))
    match kind:
        case "line":
            how, wait = rng.choice(("before", "after", "lost")), rng.choice((0.8, 1.6, 2.4, 4.0))
            chosen = Disturbance(kind, place, wait=wait, how=how)
        case "worker":
            chosen = Disturbance(kind, place, wait=rng.choice((0.0, 1.0, 3.0)))
        case "temporal":
            chosen = _of_temporal(rng, place)
        case _:
            chosen = _of_store(rng, place)
    disturbances = [chosen]
    if word == "cancel":
        disturbances.append(Disturbance("cancel", Place("act", rng.choice((1, 2)), "write")))
    return Scenario(
        seed,
        _steps(rng, family=0.05),
        tuple(disturbances),
        asks_at=2 if word == "answer" else None,
        assent="yes" if word == "yes" else "confirm",
        undoes=word == "undo",
        retries=rng.choice((0, 0, 3)),
    )


def _maybe_another(rng: random.Random, first: Disturbance, place: Place) -> tuple[Disturbance, ...]:
    if rng.random() < 0.5 or first.kind == "kill_hang":
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


def _of_temporal(rng: random.Random, place: Place) -> Disturbance:
    how = rng.choice(("SIGTERM", "SIGKILL", "SIGSTOP"))
    return Disturbance("temporal", place, wait=rng.choice((1.0, 3.0, 5.0) if how == "SIGSTOP" else (0.0, 0.5, 1.5)),
                       how=how)  # fmt: skip


def _disturbance(rng: random.Random, place: Place) -> Disturbance:
    kinds = ["worker", "worker", "temporal", "cancel", "workflow_cancel"]
    if place.activity != "reason":
        kinds += ["fault", "fault", "fault", "sign_out"]
    if place.part == "write":
        kinds += ["kill_hang"] * 4
    kind = rng.choice(kinds)
    if kind in ("fault", "sign_out", "kill_hang"):
        # These apply to the call itself.
        place = Place(place.activity, place.nth, place.part)
    match kind:
        case "worker":
            return Disturbance(kind, place, wait=rng.choice((0.0, 0.0, 1.0, 3.0)))
        case "kill_hang":
            hang = _hang(rng.choice((0.6, 1.5, 3.4)))
            return Disturbance(kind, place, wait=rng.choice((0.0, 1.0)), fault=hang)
        case "temporal":
            return _of_temporal(rng, place)
        case "fault":
            # A venue's 5xx on a read is the most common fault, and a plan must survive it.
            fault = dict(rng.choice(WRITE_FAULTS if place.part == "write" else READ_FAULTS + READ_FAULTS[:2] * 2))
            return Disturbance(kind, place, fault=fault | {"times": rng.choice((1, 1, 1, 2, 3))})
        case "sign_out":
            return Disturbance(kind, place, wait=rng.choice((0.7, 2.0, None)))
    return Disturbance(kind, place)
