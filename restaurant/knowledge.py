"""A restaurant's knowledge base: one strict YAML file per restaurant (`restaurant/kb/`, `docs/restaurant.md`).

`kb.schema.json` beside the files is generated from these models, for editors (`python -m restaurant.generate`).
"""

from collections.abc import Iterator
from datetime import date, time
from pathlib import Path
from typing import Annotated, Any, Literal
from zoneinfo import ZoneInfo

from pydantic import AfterValidator, BeforeValidator, ConfigDict, Field, ValidationError, model_validator
from ruamel.yaml import YAML
from ruamel.yaml.error import YAMLError

from contracts.base import FrozenModel

DAY = 24 * 60
"""Minutes in a day."""

WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")

ProviderName = Literal["database", "google_sheets", "resos", "octotable"]


class KnowledgeError(Exception):
    """A knowledge base cannot be used. The text names the file, the key, and its value."""


def _clock(value: object) -> object:
    if isinstance(value, str) and len(value) == 5 and value[2] == ":":
        return value
    if isinstance(value, time):
        return value
    raise ValueError('must be a time such as "19:30"')


def _zone(name: str) -> str:
    try:
        ZoneInfo(name)
    except (ValueError, KeyError, OSError):
        raise ValueError("must be an IANA time zone such as Europe/Rome") from None
    return name


def _each_year(text: str) -> str:
    # A leap year, so that 29 February is valid.
    date.fromisoformat(f"2024-{text}")
    return text


Clock = Annotated[time, BeforeValidator(_clock, json_schema_input_type=str)]
"""HH:MM by the restaurant's clock."""


def _or_a_pair(schema: dict[str, Any]) -> None:
    whole = dict(schema)
    clock = {"type": "string", "pattern": r"^([01]\d|2[0-3]):[0-5]\d$"}
    pair = {"type": "array", "items": clock, "minItems": 2, "maxItems": 2, "description": "First and last slot"}
    schema.clear()
    schema["anyOf"] = [pair, whole]


class MealService(FrozenModel):
    """Lunch or dinner: the first and the last time at which guests may be booked, as guests see them. Every
    `slot_step_minutes` between them is a slot; the restaurant closes one step after the last slot."""

    model_config = ConfigDict(json_schema_extra=_or_a_pair)

    first: Clock = Field(description='First slot, "19:00"')
    last: Clock = Field(description='Last slot, "22:30"')

    @model_validator(mode="before")
    @classmethod
    def _a_pair_is_first_and_last(cls, value: Any) -> Any:
        if isinstance(value, list) and len(value) == 2:
            return {"first": value[0], "last": value[1]}
        return value

    @model_validator(mode="after")
    def _in_order(self) -> "MealService":
        if self.last < self.first:
            raise ValueError(f"the last slot {self.last:%H:%M} is before the first {self.first:%H:%M}")
        return self

    def slots(self, step: int) -> range:
        """Return the slots, in minutes after midnight."""
        return range(minutes(self.first), minutes(self.last) + 1, step)

    def closing(self, step: int) -> int:
        """Return the closing time in minutes after midnight; may be after 24:00."""
        return self.slots(step)[-1] + step


class Openings(FrozenModel):
    """The services of a day. Neither: closed."""

    lunch: MealService | None = None
    dinner: MealService | None = None

    @model_validator(mode="after")
    def _lunch_first(self) -> "Openings":
        if self.lunch and self.dinner and self.dinner.first <= self.lunch.last:
            raise ValueError("dinner begins before lunch ends")
        return self

    def services(self) -> list[MealService]:
        """Return lunch, then dinner, if served."""
        return [one for one in (self.lunch, self.dinner) if one is not None]


class Week(FrozenModel):
    """Openings by weekday; a weekday that is left out is closed."""

    monday: Openings = Openings()
    tuesday: Openings = Openings()
    wednesday: Openings = Openings()
    thursday: Openings = Openings()
    friday: Openings = Openings()
    saturday: Openings = Openings()
    sunday: Openings = Openings()


class Closure(FrozenModel):
    """Days on which the restaurant is closed, both ends included."""

    first: date
    last: date
    reason: str = Field("", max_length=200, description="For the staff; guests do not see it")

    @model_validator(mode="after")
    def _in_order(self) -> "Closure":
        if self.last < self.first:
            raise ValueError("its last day is before its first")
        return self


YearDay = Annotated[str, Field(pattern=r"^\d\d-\d\d$", description='A day of every year, "12-25"')]


class SpecialDay(Openings):
    """A day with other hours, which replace the weekday's. `day` is one date, `every_year` a month and day."""

    day: date | None = None
    every_year: Annotated[YearDay, AfterValidator(_each_year)] | None = None

    @model_validator(mode="after")
    def _one_of_both(self) -> "SpecialDay":
        if (self.day is None) == (self.every_year is None):
            raise ValueError("needs `day` or `every_year`, and not both")
        return self


Phrase = Annotated[str, Field(min_length=2, max_length=60)]


class FaqEntry(FrozenModel):
    """A question that guests ask, its answer, and other words for it, in Italian and English
    (`language.venue_facts.matching`)."""

    id: Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]*$", max_length=40)]
    question: Annotated[str, Field(min_length=3, max_length=300)]
    answer: Annotated[str, Field(min_length=1, max_length=1000)]
    synonyms: tuple[Phrase, ...] = Field(
        (), description="Each alone means this question: a word with no other meaning, or words that stand together"
    )


class KnowledgeBase(FrozenModel):
    """All that the service knows of one restaurant."""

    restaurant_id: Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9_-]{0,39}$")]
    name: Annotated[str, Field(min_length=1, max_length=120)]
    address: Annotated[str, Field(min_length=1, max_length=200)]
    phone: Annotated[str, Field(pattern=r"^\+[1-9]\d{6,14}$", description="E.164")]
    time_zone: Annotated[str, AfterValidator(_zone)] = "Europe/Rome"
    provider: ProviderName = Field("database", description="Where its bookings are kept")
    provider_options: dict[str, str | int] = Field(
        default_factory=dict, description="The provider's ids and addresses, never a secret"
    )
    slot_step_minutes: Annotated[int, Field(ge=5, le=240)] = 30
    nearest_slots: Annotated[int, Field(ge=1, le=10)] = 3
    cutoff_minutes: Annotated[int, Field(ge=0, le=600, description="No table is booked later than this before closing")]
    max_people: Annotated[int, Field(ge=1, le=500, description="Largest party that may book online")]
    max_concurrent_bookings: Annotated[int, Field(ge=1, le=1000)] | None = Field(
        None, description="Stays at one time; required to compute the capacity (CONFIG_ERROR)"
    )
    avg_stay_minutes: Annotated[int, Field(ge=5, le=600)] | None = Field(
        None, description="How long a table is taken; required to compute the capacity (CONFIG_ERROR)"
    )
    openings: Week
    holidays: tuple[Annotated[YearDay, AfterValidator(_each_year)], ...] = Field(
        (), description="Days of every year on which it is closed"
    )
    closures: tuple[Closure, ...] = ()
    special_days: tuple[SpecialDay, ...] = Field((), description="They override holidays and closures")
    faq: tuple[FaqEntry, ...] = ()

    @model_validator(mode="after")
    def _stays_end_before_the_next_day_opens(self) -> "KnowledgeBase":
        # So that only one day's bookings must be read to know whether a slot is full.
        stay = self.avg_stay_minutes or 0
        days = [getattr(self.openings, name) for name in WEEKDAYS] + list(self.special_days)
        services = [service for day in days for service in day.services()]
        if not services:
            return self
        last = max(service.slots(self.slot_step_minutes)[-1] for service in services)
        first = min(minutes(service.first) for service in services)
        if last + stay - DAY > first:
            raise ValueError("a stay from the last slot of a day lasts into the first slot of the next")
        return self

    @property
    def zone(self) -> ZoneInfo:
        """Return the restaurant's time zone."""
        return ZoneInfo(self.time_zone)


def minutes(at: time) -> int:
    """Return a time as minutes after midnight."""
    return at.hour * 60 + at.minute


def read_file(path: Path) -> KnowledgeBase:
    """Return one knowledge base. Raises `KnowledgeError`."""
    try:
        data = YAML(typ="safe", pure=True).load(path.read_text(encoding="utf-8"))
        found = KnowledgeBase.model_validate(data)
    except ValidationError as error:
        lines = [f"  {'.'.join(map(str, e['loc'])) or 'file'}: {e['msg']}" for e in error.errors()]
        raise KnowledgeError(f"{path}:\n" + "\n".join(lines)) from None
    except (YAMLError, UnicodeDecodeError, ValueError) as error:
        raise KnowledgeError(f"{path} is not YAML: {error}") from None
    except OSError as error:
        raise KnowledgeError(f"{path} cannot be read: {error.strerror}") from None
    if found.restaurant_id != path.stem:
        raise KnowledgeError(f"{path}: restaurant_id is {found.restaurant_id}; the file must be called so")
    return found


def read_folder(folder: Path) -> dict[str, KnowledgeBase]:
    """Return every restaurant of a folder, by id. Raises `KnowledgeError`, also for an empty folder."""
    found = {kb.restaurant_id: kb for kb in _each(folder)}
    if not found:
        raise KnowledgeError(f"{folder} holds no knowledge base: put a RESTAURANT.yaml there (docs/restaurant.md)")
    return found


def _each(folder: Path) -> Iterator[KnowledgeBase]:
    for path in sorted(folder.glob("*.yaml")):
        yield read_file(path)
