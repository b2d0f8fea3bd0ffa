"""Refusals of the sandbox: a `CalendarApiError`, rendered once in `app`."""


class CalendarApiError(Exception):
    """A refusal with its HTTP status and its code; the message is for people."""

    def __init__(self, status: int, code: str, message: str) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        self.message = message


def error_body(code: str, message: str) -> dict[str, object]:
    """Return the body of every refusal."""
    return {"error": {"code": code, "message": message}}
