"""The riding school's products: its lessons and rides, their times, and the seats of each.

Refusals of the sandbox: an `SandboxError`, rendered once in `app` in the form of Bookeo's errors.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from sandbox.kit.application import SandboxError

DAYS_AHEAD = 400


@dataclass(frozen=True, slots=True)
class Lesson:
    """A product with a schedule: `price` is the price of one seat, in whole euros; `times` are starts on every day."""

    id: str
    code: str
    name: str
    about: str
    seats: int
    minutes: int
    price: int
    times: tuple[str, ...]


BEGINNERS = Lesson(
    "41551BEGIN1F9C67", "BEG", "Beginners’ lesson", "Walk, trot and first canter in a group.", 8, 60, 35,
    ("10:00", "15:00", "17:00"),
)  # fmt: skip
JUMPING = Lesson(
    "41551JUMPS1F9C68", "JMP", "Jumping lesson", "Poles and small fences, for riders who canter.", 6, 60, 45,
    ("11:00", "18:00"),
)  # fmt: skip
PONIES = Lesson(
    "41551PONYH1F9C69", "PON", "Pony hour", "Grooming and riding a pony, from five years on.", 5, 60, 25,
    ("10:00", "16:00"),
)  # fmt: skip
TRAIL = Lesson(
    "41551TRAIL1F9C70", "TRL", "Trail ride", "Two hours through the woods and the vineyards.", 10, 120, 70,
    ("09:00", "14:00"),
)  # fmt: skip
LESSONS = (BEGINNERS, JUMPING, PONIES, TRAIL)
BY_ID = {lesson.id: lesson for lesson in LESSONS}


@dataclass(frozen=True, slots=True)
class Slot:
    """One lesson on one day; `start` is aware, in the school's zone."""

    lesson: Lesson
    start: datetime

    @property
    def event_id(self) -> str:
        """Return the id that Bookeo's clients use to book it."""
        return f"{self.lesson.id}{self.start:%H%M}_{self.start:%Y-%m-%d}"

    @property
    def end(self) -> datetime:
        """Return the end of the slot."""
        return self.start + timedelta(minutes=self.lesson.minutes)


class BookeoClock:
    """The present time in the school's zone. A naive value of `source` counts as the school's time."""

    def __init__(self, time_zone: str, source: Callable[[], datetime] | None = None) -> None:
        self.zone = ZoneInfo(time_zone)
        self._source = source

    def now(self) -> datetime:
        """Return the present moment, aware."""
        moment = self._source() if self._source else datetime.now(self.zone)
        return moment.replace(tzinfo=self.zone) if moment.tzinfo is None else moment.astimezone(self.zone)


def written(moment: datetime) -> str:
    """Return a moment in Bookeo's form: 2026-11-28T15:00:00+01:00."""
    return moment.isoformat(timespec="seconds")


def slot(clock: BookeoClock, lesson: Lesson, day: date, start: str) -> Slot:
    """Return the slot of a lesson at that time."""
    return Slot(lesson, datetime.combine(day, time.fromisoformat(start), tzinfo=clock.zone))


def slots(clock: BookeoClock, start: datetime, end: datetime, lessons: tuple[Lesson, ...] = LESSONS) -> Iterator[Slot]:
    """Yield the future slots that start between two moments, both included; soonest first."""
    now = clock.now()
    first, last = max(start, now).astimezone(clock.zone).date(), end.astimezone(clock.zone).date()
    for ahead in range(max(0, (min(last, now.date() + timedelta(DAYS_AHEAD)) - first).days + 1)):
        day = first + timedelta(days=ahead)
        every = (slot(clock, lesson, day, at) for lesson in lessons for at in lesson.times)
        yield from sorted((s for s in every if start <= s.start <= end and s.start > now), key=lambda s: s.start)


def slot_of(clock: BookeoClock, event_id: str) -> Slot:
    """Return the slot with that id. Raises `SandboxError`."""
    head, _, day = event_id.partition("_")
    lesson, at = BY_ID.get(head[:-4]), f"{head[-4:-2]}:{head[-2:]}"
    try:
        on = date.fromisoformat(day)
    except ValueError:
        on = None
    if lesson is None or on is None or at not in lesson.times:
        raise SandboxError(400, f"There is no event {event_id!r}")
    return slot(clock, lesson, on, at)
