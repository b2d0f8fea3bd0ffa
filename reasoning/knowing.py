"""What is known of a venue, by the keys that a model asks for it by. Source: guided reasoning, "Context That Can Be
Fetched On-Demand"."""

from collections.abc import Collection, Iterable, Mapping

from contracts.base import Json
from contracts.venue import VenueKnowledge, VenueProfile

POLICY = "policies."
FAQS = "faqs"
SCHEMA = "tool_schema:"
"""The key of a tool's schema is this and the tool's name."""

_ALL_POLICIES = frozenset({"policies", "policies.*", "policies.all"})


def entries(profile: VenueProfile, knowledge: VenueKnowledge) -> dict[str, Json]:
    """All of it by its keys; what the venue does not say has none."""
    about = {"name": profile.name, "description": knowledge.description, "about": profile.about}
    about |= {"hours": knowledge.hours, "time_zone": profile.time_zone, "currency": profile.currency}
    found: dict[str, Json] = {f"{POLICY}{name}": text for name, text in knowledge.policies.items()}
    found[FAQS] = [{"question": faq.question, "answer": faq.answer} for faq in knowledge.faqs]
    found["ai_instructions"] = knowledge.ai_instructions
    found["contact.full"] = knowledge.contact.model_dump(exclude_defaults=True)
    found["about.full"] = {name: value for name, value in about.items() if value}
    return {key: value for key, value in found.items() if value}


def sorted_out(
    asked: Iterable[str], known: Mapping[str, Json], tools: Collection[str]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """(the keys that there are, those that there are not) of what was asked for, every policy by its own key."""
    there: dict[str, None] = {}
    unknown: dict[str, None] = {}
    for key in asked:
        policies = [name for name in known if name.startswith(POLICY)] if key in _ALL_POLICIES else []
        if policies:
            there |= dict.fromkeys(policies)
        elif key in known or (key.startswith(SCHEMA) and key.removeprefix(SCHEMA).strip() in tools):
            there[key.replace(" ", "")] = None
        else:
            unknown[key] = None
    return tuple(there), tuple(unknown)


def schemas_in(fetched: Iterable[str]) -> set[str]:
    """The tools whose schemas are among these keys."""
    return {key.removeprefix(SCHEMA) for key in fetched if key.startswith(SCHEMA)}
