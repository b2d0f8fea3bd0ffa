"""The one error of a dependency that cannot be reached."""


class DependencyUnavailableError(Exception):
    """A dependency did not answer. `part` is its name in the messages' `[unavailable]`. The text is the reason, and
    holds nothing of the request. `perhaps_written`: a write may have been applied or may still be."""

    def __init__(self, part: str, why: str = "", *, perhaps_written: bool = False) -> None:
        super().__init__(why or f"the {part} is unavailable")
        self.part = part
        self.perhaps_written = perhaps_written
