"""How a provider fails. The service knows these and nothing of any provider's own errors.

    ProviderError
    ├── NotConfiguredError       a key or an option is missing: nothing was sent
    ├── UnavailableError         a read without an answer, or a write that was certainly not sent
    │   └── OutcomeUnknownError  a write that was sent and not answered with success: the service reads back
    │       └── AmbiguousError   answered with success that does not show: read back, too; else the provider's error
    ├── NoTableError             its server decides about tables and has none
    ├── BookingNotFoundError     no such booking, or one that was cancelled or removed before
    ├── SheetNotFoundError       the sheet with the bookings is not there
    ├── ConflictError            the booking is no longer as the caller read it
    └── FailedError              it answered with an error: of a write only the reason of an unknown outcome

No status proves that a write did nothing: a gateway may send a request twice and pass on the second answer, or answer
for a server that is still at work.

Every message is for a log: it may name the provider, an operation and a status, never a guest, a phone or a secret.
"""


class ProviderError(Exception):
    """The root: anything that a provider raises of its own."""


class NotConfiguredError(ProviderError):
    """A key or an option is missing. The message names it and where it is set."""


class UnavailableError(ProviderError):
    """A write that was certainly not sent (refused, not resolved, no time left), or a read that was not answered."""


class OutcomeUnknownError(UnavailableError):
    """A write was sent, and no success came back: a refusal, an error, a time-out or a lost connection."""

    def __init__(self, message: str, because: ProviderError | None = None) -> None:
        super().__init__(message)
        self.because = because or self
        """What is raised where looks show nothing of the write: the reason that its answer gives."""


class AmbiguousError(OutcomeUnknownError):
    """A write was answered with success, and the answer cannot be read, or what it says does not show."""


class NoTableError(ProviderError):
    """The provider's own server has no table for so many people at that time (resOS: 422 "no suitable table")."""


class BookingNotFoundError(ProviderError):
    """There is no booking with that id, or none that could still be changed or cancelled."""


class SheetNotFoundError(ProviderError):
    """The spreadsheet, or the sheet in it, does not exist or is not shared with this service."""


class ConflictError(ProviderError):
    """A booking is otherwise than it was read: somebody else changed it in between."""


class FailedError(ProviderError):
    """The provider refused with an error of its own that is none of the above."""
