"""How the sandbox says no: a `RefusedError`, rendered once in `app` in the form of OctoTable's errors."""


class RefusedError(Exception):
    """A refusal with its HTTP status and the class that OctoTable would name; the message is for people."""

    def __init__(self, status: int, message: str, class_name: str = "BadRequestException") -> None:
        super().__init__(message)
        self.status = status
        self.message = message
        self.class_name = class_name


def error_body(status: int, message: str, class_name: str) -> dict[str, object]:
    """The body of every refusal."""
    return {"success": False, "error": {"code": status, "message": message, "class_name": class_name}}
