"""Whether a draft would load, asked before it is written down: what would not is tried with less."""

from pathlib import Path

from pydantic import ValidationError

from contracts.action import Finding
from contracts.base import Value
from contracts.venue import VenueProfile
from registry.compile import Compiler
from registry.document import Document
from registry.findings import Findings
from registry.overlay import OverlayFile
from registry.search_answers import Answers
from registry.whole import check_whole
from registry.yaml_file import YamlFile


class _Silent(Answers):
    """What answers hold is for searching; here nobody searches."""

    def told(self, name: str) -> tuple[str, ...]:
        """Nothing."""
        return ()


def errors_of(data: dict[str, Value], document: Document, profile: VenueProfile) -> list[Finding]:
    """What keeps an overlay, as these keys say it, from being an action."""
    findings = Findings(YamlFile(Path(), data, {}), "draft", str(data.get("action")))
    try:
        overlay = OverlayFile.model_validate({**data, "iq_enabled": True})
    except ValidationError as error:
        for problem in error.errors():
            findings.error(problem["loc"], problem["msg"])
        return findings.rows
    action = Compiler(document, _Silent(document), profile.pack, findings).action(overlay)
    if action is not None:
        check_whole(action, overlay, document, profile, findings)
    return [row for row in findings.rows if row.level == "error"]
