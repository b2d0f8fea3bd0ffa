"""Providers, which keep bookings: one protocol, one folder or file per provider, chosen by the knowledge base."""

from restaurant.providers.errors import (
    AmbiguousError,
    BookingNotFoundError,
    ConflictError,
    FailedError,
    NoTableError,
    NotConfiguredError,
    OutcomeUnknownError,
    ProviderError,
    ProviderUnavailableError,
    SheetNotFoundError,
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
    "ProviderUnavailableError",
    "SheetNotFoundError",
]
