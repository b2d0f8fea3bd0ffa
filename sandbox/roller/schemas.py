"""Request bodies, by ROLLER's field names. Types are strict; fields ROLLER does not know are ignored.

Days are `YYYY-MM-DD` in the venue's zone, times `HH:MM` on a 24-hour clock, money is in the venue's currency.
"""

import re
from datetime import UTC, date, datetime
from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field
from pydantic_core import PydanticCustomError

# Marks an error whose message is written for the reader and needs no rewording.
FORMAT_ERROR = "format"


def _wrong_format(message: str) -> PydanticCustomError:
    return PydanticCustomError(FORMAT_ERROR, "{text}", {"text": message})


def _day(value: str) -> str:
    if re.fullmatch(r"\d{4}-\d{2}-\d{2}", value):
        try:
            date.fromisoformat(value)
        except ValueError:
            raise _wrong_format("must be a real date, YYYY-MM-DD, for example 2026-11-28") from None
        return value
    raise _wrong_format("must be a date as YYYY-MM-DD, for example 2026-11-28")


def _time(value: str) -> str:
    if re.fullmatch(r"([01]\d|2[0-3]):[0-5]\d", value):
        return value
    raise _wrong_format("must be a time as HH:MM on a 24-hour clock, for example 14:00")


def _moment(value: str) -> str:
    try:
        moment = datetime.fromisoformat(value)
    except ValueError:
        raise _wrong_format("must be a date and time, for example 2026-11-28T04:00:00+00:00") from None
    return moment.replace(tzinfo=moment.tzinfo or UTC).astimezone(UTC).isoformat()


def _email(value: str) -> str:
    if re.fullmatch(r"[^@\s]+@[^@\s]+", value):
        return value
    raise _wrong_format("must be an e-mail address such as name@example.com")


def _metadata_limits(value: dict[str, str | None]) -> dict[str, str | None]:
    for key, text in value.items():
        if len(key) > 40:
            raise _wrong_format("must have keys of at most 40 characters")
        if text is not None and len(text) > 500:
            raise _wrong_format("must have values of at most 500 characters")
    return value


Day = Annotated[str, AfterValidator(_day)]
Time = Annotated[str, AfterValidator(_time)]
# Stored as UTC from any offset; without an offset it counts as UTC.
Moment = Annotated[str, AfterValidator(_moment)]
Email = Annotated[str, Field(max_length=256), AfterValidator(_email)]
Metadata = Annotated[dict[str, str | None], AfterValidator(_metadata_limits)]
Gender = Literal["Male", "Female", "Other", "PreferNotToSay"]
Quantity = Annotated[int, Field(ge=1, le=9999)]


class _Body(BaseModel):
    model_config = ConfigDict(strict=True, extra="ignore", frozen=True)


class NewTicket(_Body):
    """A ticket named by the caller: its custom id and its holder."""

    id: Annotated[str, Field(max_length=32)] | None = None
    name: Annotated[str, Field(max_length=50)] | None = None


class Inclusion(_Body):
    """A party package inclusion that the guest chose."""

    productId: str
    quantity: Quantity


class OptionSetSelection(_Body):
    """A choice from an option set."""

    productPackageOptionSetId: int
    productId: int
    quantity: Quantity


class NewItem(_Body):
    """An item to add. `productId` is a variation; `startTime` is required for products with sessions."""

    productId: int
    quantity: Quantity
    bookingDate: Day
    startTime: Time | None = None
    priceOverride: Annotated[float, Field(ge=0)] | None = None
    tickets: list[NewTicket] | None = None
    partyPackageInclusions: list[Inclusion] | None = None
    optionSetSelections: list[OptionSetSelection] | None = None


class TicketUpdate(_Body):
    """Changes to one ticket: an empty string removes, null or absent keeps the value."""

    ticketId: str
    customTicketId: Annotated[str, Field(max_length=32)] | None = None
    name: Annotated[str, Field(max_length=50)] | None = None


class ItemUpdate(_Body):
    """Changes to an existing item. `bookingItemId` is text here, though a number in `idsToRemove`."""

    bookingItemId: str
    bookingEndDate: Day | None = None
    tickets: list[TicketUpdate] | None = None


class BookingUpdate(_Body):
    """A delta: absent fields keep their value. `metadata` merges, and a null value removes its key."""

    name: Annotated[str, Field(max_length=128)] | None = None
    comments: Annotated[str, Field(max_length=500)] | None = None
    metadata: Metadata | None = None
    newItems: list[NewItem] | None = None
    idsToRemove: list[int] | None = None
    itemsToUpdate: list[ItemUpdate] | None = None


class Cancellation(_Body):
    """`refundType` is required if a refund is recorded; no money moves either way."""

    issueRefund: bool
    refundType: Literal["CreditCard", "Cash", "Eftpos", "Cheque", "BankTransfer", "GiftCard", "Other"] | None = None
    refundTransactionId: Annotated[str, Field(max_length=32)] | None = None
    refundTransactionDate: Moment | None = None
    comments: str | None = None


class Address(_Body):
    """A postal address."""

    street: Annotated[str, Field(max_length=256)] | None = None
    suburb: Annotated[str, Field(max_length=64)] | None = None
    city: Annotated[str, Field(max_length=64)] | None = None
    state: Annotated[str, Field(max_length=64)] | None = None
    postcode: Annotated[str, Field(max_length=12)] | None = None
    country: Annotated[str, Field(max_length=64)] | None = None


class Flag(_Body):
    """Something staff must know about a guest."""

    type: Literal["Ban", "VIP", "Medical", "Alert", "Competency"]
    comment: str | None = None
    expiryDate: Day | None = None


class Customer(_Body):
    """The customer of a new booking."""

    firstName: Annotated[str, Field(min_length=1, max_length=32)]
    lastName: Annotated[str, Field(min_length=1, max_length=32)]
    email: Email | None
    phone: Annotated[str, Field(max_length=20)] | None
    gender: Gender | None = None
    acceptMarketing: bool = False
    acceptMarketingSms: bool = False
    taxIdentificationNumber: Annotated[str, Field(max_length=64)] | None = None
    address: Address | None = None


class Guest(Customer):
    """A whole guest, as `update-guest-detail` requires it: absent fields are deleted."""

    dateOfBirth: Day | None = None
    flags: list[Flag] = []


class Payment(_Body):
    """A payment made elsewhere, recorded on a new booking."""

    id: str
    paymentType: Literal["CreditCard", "CreditCardPreAuth", "Cash", "Cheque", "BankTransfer", "Other"]
    amount: float
    creditCardFees: float | None = None
    transactionDate: Moment | None = None


class NewDiscount(_Body):
    """A discount on a new booking: `amount` in money or `percentage`. Only a custom one, without a `code`, can be
    limited to products (variations or parents)."""

    code: str | None = None
    amount: Annotated[float, Field(ge=0)] | None = None
    percentage: Annotated[float, Field(ge=0, le=100)] | None = None
    productIds: list[int] | None = None


class BookingCreate(_Body):
    """A new booking. `externalId` is the caller's own reference and unique."""

    externalId: Annotated[str, Field(min_length=1, max_length=64)]
    customer: Customer
    items: Annotated[list[NewItem], Field(min_length=1)]
    name: Annotated[str, Field(max_length=128)] | None = None
    comments: Annotated[str, Field(max_length=500)] | None = None
    purchaseDate: Moment | None = None
    capacityReservationId: str | None = None
    companyId: int | None = None
    payments: list[Payment] | None = None
    discounts: list[NewDiscount] | None = None
    sendConfirmations: bool | None = None
    customerPaysFees: bool | None = None
    posNotes: str | None = None
    automaticCancelHours: int | None = None
    metadata: Metadata | None = None


class ClientCredentials(_Body):
    """The body of `POST /token`."""

    client_id: str
    client_secret: str
