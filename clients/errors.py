"""What cannot be done now, as the API answers it."""

from contracts.enums import ServiceErrorType
from contracts.errors import ServiceError
from contracts.plan import ExecutionPlan
from reasoning import wording


class RequestError(Exception):
    """The request cannot be served; `answer` is what the API says then."""

    def __init__(self, answer: ServiceError) -> None:
        super().__init__(answer.message)
        self.answer = answer

    @property
    def kind(self) -> ServiceErrorType:
        """What kind of error it is."""
        return self.answer.error_type


class UnansweredError(RequestError):
    """A part did not answer. Whether what it was asked took effect is not known from this; `then` is the key of a
    sentence that says what it means, where somebody knows."""

    def __init__(self, part: str, then: str = "") -> None:
        super().__init__(wording.unavailable(part, then))
        self.part = part


def refuse(kind: ServiceErrorType, message: str, *suggestions: str, plan: ExecutionPlan | None = None) -> RequestError:
    """A `RequestError` in one line."""
    return RequestError(ServiceError(error_type=kind, message=message, suggestions=list(suggestions), plan=plan))
