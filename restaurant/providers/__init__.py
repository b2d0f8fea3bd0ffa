"""Where bookings are kept: one protocol, one folder or file a provider, chosen by the knowledge base."""

from restaurant.providers.errors import (
    Ambiguous,
    BookingNotFound,
    Conflict,
    Failed,
    NoTable,
    NotConfigured,
    OutcomeUnknown,
    ProviderError,
    SheetNotFound,
    Unavailable,
)
from restaurant.providers.protocol import Admit, Booking, NewBooking, Provider

__all__ = [
    "Admit",
    "Ambiguous",
    "Booking",
    "BookingNotFound",
    "Conflict",
    "Failed",
    "NewBooking",
    "NoTable",
    "NotConfigured",
    "OutcomeUnknown",
    "Provider",
    "ProviderError",
    "SheetNotFound",
    "Unavailable",
]
