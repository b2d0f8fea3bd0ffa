"""Errors of the clients, as the API answers them."""

from contracts.enums import ServiceErrorType
from contracts.errors import ServiceError
from contracts.plan import ExecutionPlan
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


class DependencyUnavailableError(ApiError):
    """A dependency did not answer. Whether the request took effect is unknown from this error alone; `then` is the
    message key that explains the consequence, if it is known."""

    def __init__(self, part: str, then: str = "") -> None:
        super().__init__(error_messages.unavailable_error(part, then))
        self.part = part


def api_error(kind: ServiceErrorType, message: str, *suggestions: str, plan: ExecutionPlan | None = None) -> ApiError:
    """Return an `ApiError` with this type and message."""
    return ApiError(ServiceError(error_type=kind, message=message, suggestions=list(suggestions), plan=plan))
