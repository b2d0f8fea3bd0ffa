"""The venue: what the product must know of a place to serve it, and the tariffs and prices of model calls."""

from collections.abc import Mapping
from datetime import time
from typing import Annotated, Literal

from pydantic import Field, StringConstraints, model_validator

from contracts.base import FrozenModel, Json
from contracts.enums import AiMode


class OpeningHours(FrozenModel):
    """Local opening and closing time; decides between AM and PM where the operator gave neither."""

    opens: time = time(9)
    closes: time = time(23)


class Noun(FrozenModel):
    """A noun as a venue uses it: `lesson`, or `[lesson, lessons]`, in Italian `[lezione, lezioni, f]`."""

    one: str = Field(min_length=1, max_length=40)
    many: str = Field(default="", max_length=40)
    gender: Literal["m", "f"] = "m"

    @model_validator(mode="before")
    @classmethod
    def _written(cls, value: object) -> object:
        if isinstance(value, str):
            return {"one": value, "many": f"{value}s"}
        return dict(zip(("one", "many", "gender"), value, strict=False)) if isinstance(value, list) else value


class VenueFacts(FrozenModel):
    """A pack's description of its venue.

    Durations are in seconds, `time_zone` is an IANA name, `country` ISO 3166 alpha-2, `locale` BCP 47. `aliases`
    lists, by a word of the pack's actions, the synonyms that people at this venue use. `words` are, by kind and
    language, the venue's nouns: `booking` is what most actions are about, `guest` who comes, `system` its own system;
    any other kind is one that overlays name as a parameter's `thing`. `defaults` are values for what a request leaves
    out, by names of the pack's own: its templates see them as `venue.defaults`.
    """

    venue_id: str
    name: str
    time_zone: str
    locale: str
    country: str
    currency: str = ""
    opening_hours: OpeningHours = OpeningHours()
    date_order: Literal["dmy", "mdy"] = Field(default="dmy", description="How 3/4 is read")
    next_weekday: Literal["following_week", "nearest"] = Field(
        default="following_week", description="Which of the two readings of “next Friday” comes first"
    )
    after_midnight_until: time = Field(
        default=time(5), description="Before this hour “tonight” is still the evening before"
    )
    about: str = ""
    tariff: str = Field(default="", description="What the venue pays for (`overlays/tariffs.yaml`); none is standard")
    undo_window_seconds: float = Field(default=900, ge=0)
    parallel_steps: bool = Field(default=False, description="Whether steps that are independent run at the same time")
    executor: Literal["react", "direct_when_certain"] = Field(
        default="react", description="Whether a model is asked for steps that leave it nothing to decide"
    )
    settle_seconds: float = Field(default=2, ge=0, description="After this long a lost write can no longer land")
    read_max_age_seconds: float = Field(
        default=1, gt=0, description="A write is not sent where what it is made of was read longer ago than this"
    )
    quick_actions: tuple[str, ...] = ()
    aliases: dict[str, tuple[str, ...]] = Field(default_factory=dict)
    words: dict[str, dict[str, Noun]] = Field(default_factory=dict)
    defaults: dict[str, str | int | float | bool] = Field(default_factory=dict)


class VenueContact(FrozenModel):
    """How guests reach the venue."""

    phone: str = Field(default="", max_length=60)
    email: str = Field(default="", max_length=120)
    address: str = Field(default="", max_length=300)
    website: str = Field(default="", max_length=200)


class Faq(FrozenModel):
    """A question that guests ask, and the venue's answer. `synonyms` are other words for it, as in
    `language.venue_facts.matching`."""

    question: str = Field(min_length=1, max_length=200)
    answer: str = Field(min_length=1, max_length=1000)
    synonyms: tuple[str, ...] = ()


PolicyText = Annotated[str, StringConstraints(min_length=1, max_length=2000)]


class VenueKnowledge(FrozenModel):
    """The information that a venue gives its guests, in its own language: all that may be quoted beside what its system
    shows.

    `hours` are the opening hours as text (`VenueFacts.opening_hours` only decides between AM and PM). `policies` are by
    names of the venue's own (returns, shipping, privacy, terms). `ai_instructions` are for the model and never quoted.
    Source: guided reasoning, "Context that can be fetched on demand".
    """

    description: str = Field(default="", max_length=2000)
    hours: str = Field(default="", max_length=300)
    contact: VenueContact = VenueContact()
    policies: dict[str, PolicyText] = Field(default_factory=dict)
    faqs: tuple[Faq, ...] = ()
    ai_instructions: str = Field(default="", max_length=2000)


class DayQuery(FrozenModel):
    """How a venue's day is read: a look-up of the pack and its arguments, whose texts may be templates over `date`
    (YYYY-MM-DD)."""

    action: str
    arguments: dict[str, Json]


class Webhook(FrozenModel):
    """The webhook for a venue's escalations (`venue.yaml`, `escalation`). `secret` names the variable with the key that
    signs the calls."""

    address: str
    secret: str


class VenueRate(FrozenModel):
    """The rate limit of a venue's API: calls a second in the long run, and `burst` of them at once."""

    per_second: float = Field(gt=0, le=10_000, description="Calls a second in the long run")
    burst: int = Field(default=1, ge=1, le=10_000, description="Calls at once, after a pause")


class VenueProfile(VenueFacts):
    """One venue of a pack (`overlays/<pack>/venue.yaml`), as the product knows it.

    `pack` is its folder's name, `base_url` where its API is; `check_operation` is the cheapest authenticated read, to
    check whether a token is accepted.
    """

    pack: str
    base_url: str
    check_operation: str


Multiplier = Annotated[float, Field(ge=0, le=1_000, allow_inf_nan=False)]


class Tariff(FrozenModel):
    """One tariff of `overlays/tariffs.yaml`: the mode that its venues are served in, and what a model call costs them
    in each mode, as a multiple of its price (1 where `multiplier` does not name the mode)."""

    mode: AiMode = AiMode.STANDARD
    multiplier: Mapping[AiMode, Multiplier] = Field(default_factory=dict)

    def multiplier_in(self, mode: AiMode) -> float:
        """Return the multiplier of a call in this mode, whatever the tariff's own mode is."""
        return self.multiplier.get(mode, 1.0)


class Price(FrozenModel):
    """One row of `overlays/model_prices.yaml`, in dollars a million tokens. `model` is a name, or a pattern of names
    (`claude-sonnet-*`). Input that the endpoint has cached costs what other input costs where `cached_input` is left
    out."""

    model: str = Field(min_length=1)
    input: float = Field(ge=0, le=1_000_000, allow_inf_nan=False)
    cached_input: float | None = Field(default=None, ge=0, le=1_000_000, allow_inf_nan=False)
    output: float = Field(ge=0, le=1_000_000, allow_inf_nan=False)
