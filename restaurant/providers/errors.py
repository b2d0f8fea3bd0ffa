"""How a provider fails. The service knows these and nothing of any provider's own errors.

    ProviderError
    ├── NotConfiguredError       a key or an option is missing: nothing was sent
    ├── UnavailableError         not reached, or it refused to work now: certainly nothing was changed
    │   └── OutcomeUnknownError  sent, and what became of it is not known: the service reads back
    │       └── AmbiguousError   it answered, and the answer does not say: read back too, told as the provider's error
    ├── NoTableError             its server decides about tables and has none
    ├── BookingNotFoundError     no such booking, or one that was cancelled or removed before
    ├── SheetNotFoundError       the sheet with the bookings is not there
    ├── ConflictError            the booking is no longer as the caller read it: nothing was changed
    └── FailedError              it answered with an error: nothing was changed

Every message is for a log: it may name the provider, an operation and a status, never a guest, a phone or a secret.
"""


class ProviderError(Exception):
    """The root: anything that a provider raises of its own."""


class NotConfiguredError(ProviderError):
    """A key or an option is missing. The message names it and where it is set."""


class UnavailableError(ProviderError):
    """Not reached (refused, not resolved, timed out before anything was sent), or 429 or 503: nothing was changed."""


class OutcomeUnknownError(UnavailableError):
    """A write was sent and its outcome is not known: a time-out or a connection lost after sending, or a 5xx."""


class AmbiguousError(OutcomeUnknownError):
    """A write was answered with success, but the answer cannot be read, or does not say which booking it made."""


class NoTableError(ProviderError):
    """The provider's own server has no table for so many people at that time (resOS: 422 "no suitable table")."""


class BookingNotFoundError(ProviderError):
    """There is no booking with that id, or none that could still be changed or cancelled."""


class SheetNotFoundError(ProviderError):
    """The spreadsheet, or the sheet in it, does not exist or is not shared with this service."""


class ConflictError(ProviderError):
    """A booking is otherwise than it was read: somebody else changed it in between. Nothing was changed."""


class FailedError(ProviderError):
    """The provider refused with an error of its own that is none of the above. Nothing was changed."""
