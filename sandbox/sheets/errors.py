"""How the sandbox says no: a `RefusedError`, rendered once in `app` in the form of Google's errors."""

STATUSES = {
    400: "INVALID_ARGUMENT",
    401: "UNAUTHENTICATED",
    403: "PERMISSION_DENIED",
    404: "NOT_FOUND",
    429: "RESOURCE_EXHAUSTED",
    500: "INTERNAL",
    503: "UNAVAILABLE",
}


class RefusedError(Exception):
    """A refusal with its HTTP status; the message is for people."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status
        self.message = message


def error_body(status: int, message: str) -> dict[str, object]:
    """The body of every refusal."""
    return {"error": {"code": status, "message": message, "status": STATUSES.get(status, "UNKNOWN")}}
