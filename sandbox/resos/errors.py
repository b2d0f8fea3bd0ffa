"""How the sandbox says no: a `RefusedError`, rendered once in `app`. That a body is `{"message"}` is an assumption."""


class RefusedError(Exception):
    """A refusal with its HTTP status; the message is for people."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status
        self.message = message


def error_body(message: str) -> dict[str, object]:
    """The body of every refusal."""
    return {"message": message}
