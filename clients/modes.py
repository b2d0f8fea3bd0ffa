"""In which mode a venue's messages are served: by its tariff, unless somebody has said otherwise."""

from collections.abc import Mapping
from pathlib import Path

from contracts.enums import AiMode
from contracts.tariff import Tariff
from contracts.venue import VenueProfile
from infra.settings import ROOT
from registry.document import read_or_refuse
from registry.faults import PackError

TARIFFS = ROOT / "overlays" / "tariffs.yaml"


def read_tariffs(path: Path = TARIFFS) -> dict[str, Tariff]:
    """The tariffs by their names. Raises `PackError`."""
    data = read_or_refuse(path, path.name).data
    if not isinstance(data, dict):
        raise PackError(f"{path.name} must be a list of `name: {{mode: …}}` lines")
    return {str(name): Tariff.model_validate(tariff) for name, tariff in data.items()}


class Modes:
    """Asked before each turn; what it says holds for that turn."""

    def __init__(self, tariffs: Mapping[str, Tariff] | None = None) -> None:
        self._tariffs = read_tariffs() if tariffs is None else dict(tariffs)

    async def mode_of(self, profile: VenueProfile) -> AiMode:
        """The mode of a venue's next turn. Never raises: what cannot be known just now is as it was last known."""
        tariff = self._tariffs.get(profile.tariff)
        return tariff.mode if tariff is not None else AiMode.STANDARD
