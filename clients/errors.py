"""Errors of the clients, as the API answers them."""

from collections.abc import Iterator
from contextlib import contextmanager

from contracts.enums import ServiceErrorType
from contracts.errors import ServiceError
from contracts.plan import ExecutionPlan
from infra.errors import DependencyUnavailableError
from reasoning import error_messages


class ApiError(Exception):
    """The request cannot be served; `answer` is the API's response."""

    def __init__(self, answer: ServiceError) -> None:
        super().__init__(answer.message)
        self.answer = answer

    @property
    def kind(self) -> ServiceErrorType:
        """Return the type of the error."""
        return self.answer.error_type


class ServiceUnavailableError(ApiError, DependencyUnavailableError):
    """The API's answer when a dependency did not answer. Whether the request took effect is unknown from this error
    alone; `then` is the message key that explains the consequence, if it is known."""

    def __init__(self, part: str, then: str = "") -> None:
        self.answer = error_messages.unavailable_error(part, then)
        DependencyUnavailableError.__init__(self, part, self.answer.message)


@contextmanager
def service_unavailable(then: str = "") -> Iterator[None]:
    """Raise `ServiceUnavailableError` with this consequence if a dependency does not answer in the block."""
    try:
        yield
    except DependencyUnavailableError as away:
        raise ServiceUnavailableError(away.part, then) from None


def api_error(kind: ServiceErrorType, message: str, *suggestions: str, plan: ExecutionPlan | None = None) -> ApiError:
    """Return an `ApiError` with this type and message."""
    return ApiError(ServiceError(error_type=kind, message=message, suggestions=list(suggestions), plan=plan))
