"""How the sandbox says no: every refusal is an `ApiError` or a `ForbiddenError`, rendered once in `app`."""

from typing import TypedDict


class ErrorItem(TypedDict):
    """One reason. `name` is stable and meant for code, `message` for people."""

    name: str
    message: str


class ErrorBody(TypedDict):
    """The body of every refusal but a 403."""

    errors: list[ErrorItem]


class ApiError(Exception):
    """A refusal with its HTTP status; the body is `{"errors": [{"name", "message"}]}`."""

    status = 500

    def __init__(self, name: str, message: str) -> None:
        super().__init__(message)
        self.name = name
        self.message = message


class NotFoundError(ApiError):
    """Nothing has that id."""

    status = 404


class ConflictError(ApiError):
    """The request is well formed, but the venue's rules or its present state refuse it."""

    status = 409


class BadRequestError(ApiError):
    """The request is malformed; `name` is the field."""

    status = 400


class UnauthorizedError(ApiError):
    """The token or the client's secret is missing, unknown or expired."""

    status = 401


class ForbiddenError(Exception):
    """403, whatever the request's body says; the message is the whole JSON answer, one plain string."""


def error_body(name: str, message: str) -> ErrorBody:
    """The shape of every refusal but a 403, with one reason in it."""
    return {"errors": [{"name": name, "message": message}]}
