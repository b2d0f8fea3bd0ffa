"""Questions about the venue's policies and FAQs, answered in the venue's own words from the brief."""

from __future__ import annotations

from contracts.venue import Faq
from language.venue_facts.matching import SAME, best_entry
from language.venue_facts.questions import asks_for_policies, is_question
from offline_planner.brief import Brief
from offline_planner.protocol import ModelAnswer

_POLICY = "policies."


def keys_for(text: str, brief: Brief) -> list[str]:
    """Return the context keys that a question's words point to; [] for a question about no policy."""
    names = [key.removeprefix(_POLICY) for key in (*brief.more, *brief.context) if key.startswith(_POLICY)]
    found = asks_for_policies(text, names)
    wanted = names if found == ("*",) else list(found)
    return [*(f"{_POLICY}{name}" for name in wanted), "faqs"] if found else []


def answered(text: str, brief: Brief) -> ModelAnswer | None:
    """Return the answer that an entry of the brief gives, or None."""
    rows = brief.context.get("faqs")
    faqs = [Faq.model_validate(row) for row in rows] if isinstance(rows, list) else []
    if is_question(text) and (same := best_entry(text, faqs, SAME)):
        return ModelAnswer(text=same.answer)
    items = [brief.context.get(key) for key in keys_for(text, brief) if key.startswith(_POLICY)]
    texts = [one for one in items if isinstance(one, str)]
    return ModelAnswer(text=" ".join(texts)) if texts and len(texts) <= 2 else None
