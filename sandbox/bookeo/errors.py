"""How the sandbox says no: a `RefusedError`, rendered once in `app` in the form of Bookeo's errors."""

from uuid import uuid4


class RefusedError(Exception):
    """A refusal with its HTTP status; the message is for people."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status
        self.message = message


def error_body(status: int, message: str) -> dict[str, object]:
    """The body of every refusal; `errorId` is what Bookeo's support asks for."""
    return {"httpStatus": status, "message": message, "errorId": uuid4().hex[:16].upper()}
