"""How a provider fails. The service handles only these, never a provider's own errors.

ProviderError
├── NotConfiguredError       a key or an option is missing: nothing was sent
├── ProviderUnavailableError a read without an answer, or a write that was certainly not sent
│   └── OutcomeUnknownError  a write was sent and got no success response: the service reads back
│       └── AmbiguousError   success that the read-back does not show: else the provider's error
├── NoTableError             its server assigns tables and has none
├── BookingNotFoundError     no such booking, or one that was cancelled or removed before
├── SheetNotFoundError       the sheet with the bookings does not exist
├── ConflictError            the booking has changed since the caller read it
└── FailedError              it answered with an error: for a write only the reason of an unknown outcome

No status proves that a write did nothing: a gateway may send a request twice and pass on the second answer, or answer
for a server that is still processing it.

Every message is for a log: it may name the provider, an operation and a status, never a guest, a phone or a secret.
"""


class ProviderError(Exception):
    """The base class of every provider error."""


class NotConfiguredError(ProviderError):
    """A key or an option is missing. The message names it and where it is set."""


class ProviderUnavailableError(ProviderError):
    """A write that was certainly not sent (refused, not resolved, no time left), or a read that got no answer."""


class OutcomeUnknownError(ProviderUnavailableError):
    """A write was sent and got no success response: a refusal, an error, a timeout or a lost connection."""

    def __init__(self, message: str, because: ProviderError | None = None) -> None:
        super().__init__(message)
        self.because = because or self
        """Raised if the read-back does not show the write: the reason that its response gives."""


class AmbiguousError(OutcomeUnknownError):
    """A write got a success response that cannot be read, or that the read-back does not confirm."""


class NoTableError(ProviderError):
    """The provider's own server has no table for so many people at that time (resOS: 422 "no suitable table")."""


class BookingNotFoundError(ProviderError):
    """No booking has that id, or none that can still be changed or cancelled."""


class SheetNotFoundError(ProviderError):
    """The spreadsheet, or the sheet in it, does not exist or is not shared with this service."""


class ConflictError(ProviderError):
    """A booking differs from what was read, because somebody else has changed it since."""


class FailedError(ProviderError):
    """The provider refused with an error that is none of the above."""
