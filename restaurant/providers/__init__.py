"""Where bookings are kept: one protocol, one folder or file a provider, chosen by the knowledge base."""

from restaurant.providers.errors import (
    AmbiguousError,
    BookingNotFoundError,
    ConflictError,
    FailedError,
    NoTableError,
    NotConfiguredError,
    OutcomeUnknownError,
    ProviderError,
    SheetNotFoundError,
    UnavailableError,
)
from restaurant.providers.protocol import Admit, Booking, NewBooking, Provider

__all__ = [
    "Admit",
    "AmbiguousError",
    "Booking",
    "BookingNotFoundError",
    "ConflictError",
    "FailedError",
    "NewBooking",
    "NoTableError",
    "NotConfiguredError",
    "OutcomeUnknownError",
    "Provider",
    "ProviderError",
    "SheetNotFoundError",
    "UnavailableError",
]
