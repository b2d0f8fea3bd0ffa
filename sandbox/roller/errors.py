"""Refusals of the sandbox: each is a `RollerApiError` or a `ForbiddenError`, rendered once in `app`."""

from typing import TypedDict


class ErrorItem(TypedDict):
    """One reason. `name` is stable and for code, `message` for people."""

    name: str
    message: str


class RollerErrorBody(TypedDict):
    """The body of every refusal but a 403."""

    errors: list[ErrorItem]


class RollerApiError(Exception):
    """A refusal with its HTTP status; the body is `{"errors": [{"name", "message"}]}`."""

    status = 500

    def __init__(self, name: str, message: str) -> None:
        super().__init__(message)
        self.name = name
        self.message = message


class NotFoundError(RollerApiError):
    """Nothing has that id."""

    status = 404


class RollerConflictError(RollerApiError):
    """The request is well formed, but the venue's rules or its present state refuse it."""

    status = 409


class BadRequestError(RollerApiError):
    """The request is malformed; `name` is the field."""

    status = 400


class RollerUnauthorizedError(RollerApiError):
    """The token or the client's secret is missing, unknown or expired."""

    status = 401


class ForbiddenError(Exception):
    """403 for any request body; the message is the whole JSON response, one plain string."""


def error_body(name: str, message: str) -> RollerErrorBody:
    """Return the body of every refusal but a 403, with one reason."""
    return {"errors": [{"name": name, "message": message}]}
