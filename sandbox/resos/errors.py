"""Refusals of the sandbox: a `ResosApiError`, rendered once in `app`. That a body is `{"message"}` is an assumption."""


class ResosApiError(Exception):
    """A refusal with its HTTP status; the message is for people."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status
        self.message = message


def error_body(message: str) -> dict[str, object]:
    """Return the body of every refusal."""
    return {"message": message}
