"""`overlays/tariffs.yaml` and `overlays/model_prices.yaml`: what venues pay for, and what models cost.

Reading is strict: an invalid row is ignored, and a finding gives its location and the reason. The other rows count.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel, ValidationError

from contracts.action import Finding
from contracts.enums import AiMode
from contracts.venue import Price, Tariff, VenueProfile
from registry.errors import YamlSyntaxError, did_you_mean
from registry.overlays.findings import Findings, unreadable
from registry.overlays.yaml_file import Key, read_limited_yaml

OVERLAYS = Path(__file__).parent.parent / "overlays"
TARIFFS, PRICES = OVERLAYS / "tariffs.yaml", OVERLAYS / "model_prices.yaml"

M = TypeVar("M", bound=BaseModel)


def read_tariffs(path: Path = TARIFFS) -> tuple[dict[str, Tariff], list[Finding]]:
    """Return the tariffs by their names, and the findings of the file."""
    try:
        file = read_limited_yaml(path)
    except (OSError, YamlSyntaxError) as error:
        return {}, [unreadable(path.name, error)]
    findings = Findings(file, path.name, None)
    if not isinstance(file.data, dict):
        findings.error((), "must be a list of `name: {mode: …, multiplier: {adaptive: …}}` lines")
        return {}, findings.rows
    made = {name: _made(Tariff, (name,), written, findings) for name, written in file.data.items()}
    return {name: tariff for name, tariff in made.items() if tariff is not None}, findings.rows


def read_prices(path: Path = PRICES) -> tuple[tuple[Price, ...], list[Finding]]:
    """Return the prices in their order, and the findings of the file."""
    try:
        file = read_limited_yaml(path)
    except (OSError, YamlSyntaxError) as error:
        return (), [unreadable(path.name, error)]
    findings = Findings(file, path.name, None)
    if not isinstance(file.data, list):
        findings.error((), "must be a list of `- {model: …, input: …, output: …}` lines")
        return (), findings.rows
    made = [_made(Price, (index,), written, findings) for index, written in enumerate(file.data)]
    return tuple(price for price in made if price is not None), findings.rows


def unknown_tariff(profile: VenueProfile, tariffs: Mapping[str, Tariff]) -> list[Finding]:
    """Return a finding where the venue names an unknown tariff: it is served like one without a tariff."""
    if not profile.tariff or profile.tariff in tariffs:
        return []
    text = f"tariff: {TARIFFS.name} has no valid tariff {profile.tariff}: the venue is served as if it named none"
    return [
        Finding(
            level="error", file=f"{profile.pack}/venue.yaml", message=text, hint=did_you_mean(profile.tariff, tariffs)
        )
    ]


def _made(kind: type[M], key: Key, written: object, findings: Findings) -> M | None:
    try:
        return kind.model_validate(written)
    except ValidationError as error:
        for problem in error.errors():
            # "[key]" stands behind a key that is itself the mistake.
            where = (*key, *(part for part in problem["loc"] if part != "[key]"))
            if problem["type"] == "extra_forbidden":
                findings.error(where, "is no key of this file", did_you_mean(str(where[-1]), kind.model_fields))
            elif problem["type"] == "enum":
                findings.error(
                    where, f"{problem['input']!r} is no mode", did_you_mean(str(problem["input"]), [*AiMode])
                )
            else:
                findings.error(where, problem["msg"][:1].lower() + problem["msg"][1:])
        return None
