"""What code reads in an operator's message by word lists, and by comparing it with the chat's bookings.

A workflow never reads a message by word lists: they change between deploys, and a replay must come to the same result.
The API reads the message (`language.replies.message_reading`) and sends the reading along; a local activity compares it
with the bookings of the chat (`activities.chat_plan_bridge.match_bookings`), and its result is recorded.
"""

from enum import StrEnum

from pydantic import Field

from contracts.base import FrozenModel, Instant
from contracts.booking import BookingSummary
from contracts.enums import ParameterRole, ShortReply
from contracts.step_activities import DraftedStep
from contracts.venue import Noun


class ReplyQualifiers(FrozenModel):
    """Words beside a short reply that must match the plan (`reasoning.drafting.short_replies`).

    `names` must name the plan's own bookings, `strange` must not name another one; `does` is what every step of the
    plan must do: roles, or "cancel". Empty fields require nothing.
    """

    names: tuple[str, ...] = ()
    strange: tuple[str, ...] = ()
    does: tuple[str, ...] = ()

    @property
    def empty(self) -> bool:
        """Return whether the words assert nothing about the plan."""
        return not (self.names or self.strange or self.does)


class MessageTrait(StrEnum):
    """One property of a message. `may_answer`: it may be the answer to a running plan's question, because it asks for
    no change, asks no question and asks for no person. `chose_undo`: it answers "undo the change, or cancel the
    booking?" by the first. `has_anaphora`: it depends on a day or an hour of the message before ("put her in then").
    `stops`: a no that asks to stop, where any other no may be an answer."""

    ASKS_CHANGE = "asks_change"
    MAY_ANSWER = "may_answer"
    WANTS_PERSON = "wants_person"
    SMALL_TALK = "small_talk"
    CHOSE_UNDO = "chose_undo"
    HAS_ANAPHORA = "has_anaphora"
    STOPS = "stops"


class RemainingRequest(FrozenModel):
    """The request after words that drop all earlier requests. `roles` are the kinds of value that it consists of, if it
    is a bare value."""

    text: str
    traits: tuple[MessageTrait, ...] = ()
    roles: tuple[ParameterRole, ...] = ()


class MessageReading(FrozenModel):
    """What a message means to code. `reply` is its meaning as a short reply, and `qualifiers` what the words beside it
    assert about its plan. `for_whom` names the person for whom the message gives a value. `after_drop` is the request
    after words that drop all earlier ones."""

    reply: ShortReply | None = None
    traits: tuple[MessageTrait, ...] = ()
    qualifiers: ReplyQualifiers = ReplyQualifiers()
    for_whom: ReplyQualifiers = ReplyQualifiers()
    after_drop: RemainingRequest | None = None

    def has(self, trait: MessageTrait) -> bool:
        """Return whether the message has a trait."""
        return trait in self.traits


class BookingMatchRequest(FrozenModel):
    """A message to compare with bookings: `listed` are those that our last question listed, `known` those that the chat
    is about. `steps` are of the plan that a short reply is for, `asking_steps` of the plan that asks a question."""

    message: str
    reading: MessageReading
    now: Instant
    locale: str
    nouns: dict[str, dict[str, Noun]] = Field(default_factory=dict)
    listed: tuple[BookingSummary, ...] = ()
    known: tuple[BookingSummary, ...] = ()
    steps: tuple[DraftedStep, ...] = ()
    asking_steps: tuple[DraftedStep, ...] = ()


class BookingMatch(FrozenModel):
    """How a message matches the chat's bookings. `fits_plan`: the words beside a short reply match its plan.
    `other_booking`: its value is for another booking than the asking plan's. `chosen` is the id of the listed booking
    that it selects."""

    fits_plan: bool = True
    other_booking: bool = False
    chosen: str | None = None
