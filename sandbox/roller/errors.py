"""How the sandbox says no: every refusal is an `ApiError`, rendered once in `app`.

ApiError          any status, body `{"errors": [{"name", "message"}]}`
├── NotFound      404
├── Conflict      409, a rule of the venue: capacity, a date in the past, an unknown item
└── BadRequest    400, `name` is the field that is malformed
Forbidden         403, whose body is one plain JSON string, as ROLLER's cancel answers
"""

from typing import TypedDict


class ErrorItem(TypedDict):
    """One reason. `name` is stable and meant for code, `message` for people."""

    name: str
    message: str


class ErrorBody(TypedDict):
    """The body of every refusal but a 403."""

    errors: list[ErrorItem]


class ApiError(Exception):
    """A refusal with its HTTP status and its `name` and `message`."""

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
    """Refused whatever the body says; the message is the whole JSON answer."""


def error_body(name: str, message: str) -> ErrorBody:
    """The shape of every refusal but a 403, with one reason in it."""
    return {"errors": [{"name": name, "message": message}]}
