"""A venue's information for its guests, from `venue.yaml`.

Guarantees:
- every shipped pack has a description, hours in words, contact, policies, FAQs and instructions;
- the pack holds it, and never the profile, which is frozen into plans;
- a mistake in it names the line and what to write.
"""

import shutil
from pathlib import Path

import pytest

from contracts.venue import VenueKnowledge, VenueProfile
from infra.config.settings import ROOT
from registry import PackError
from registry.loading.load import load_pack
from tests.support.shipped import shipped

PACKS = ("roller", "bookeo", "calendar")


@pytest.mark.parametrize("name", PACKS)
def test_a_shipped_pack_tells_what_guests_ask(name: str) -> None:
    known = shipped(name).knowledge
    assert known.description and known.hours and known.ai_instructions
    assert known.contact.phone and known.contact.email and known.contact.website
    assert len(known.policies) >= 4 and len(known.faqs) >= 2


def test_a_profile_has_none_of_it() -> None:
    assert set(VenueKnowledge.model_fields).isdisjoint(VenueProfile.model_fields)


@pytest.mark.parametrize(("ours", "theirs", "shown"), [
    ("  phone:", "  fone:", "contact.fone"),
    ("email: hello@bounce-beyond.example", "email: nowhere", "'nowhere' is no e-mail address"),
    ("https://bounce-beyond.example", "bounce-beyond.example", "write the website with http"),
    ("  returns:", "  Returns & refunds:", "is no name of a policy"),
    ("    answer: Children may jump", "    reply: Children may jump", "faqs.3.answer"),
    ("ai_instructions:", "ai_instruction:", "ai_instructions"),
])  # fmt: skip
def test_a_mistake_is_named(tmp_path: Path, ours: str, theirs: str, shown: str) -> None:
    folder = Path(shutil.copytree(ROOT / "overlays" / "roller", tmp_path / "roller"))
    text = (folder / "venue.yaml").read_text()
    assert ours in text
    (folder / "venue.yaml").write_text(text.replace(ours, theirs, 1))
    with pytest.raises(PackError) as wrong:
        load_pack(folder)
    assert shown in str(wrong.value) and "line" in str(wrong.value)
