"""The entries of a venue's profile, and which of them answer a question or ground a statement.

What is known of a venue, by the keys that a model requests. Source: guided reasoning, "Context That Can Be Fetched
On-Demand".
"""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from contracts.base import Json
from contracts.venue import VenueKnowledge, VenueProfile
from language.locales import alternatives, words_in_all
from language.messages.catalogue import translate
from language.numbers.numbers import figures_in
from language.replies.polarity import negated
from language.text.normalize import normalize_text
from language.venue_facts.matching import SAME, best_entry, things_in, topics_in
from language.venue_facts.questions import is_question

POLICY = "policies."
FAQS = "faqs"
SCHEMA = "tool_schema:"
"""The key of a tool's schema is this and the tool's name."""

_ALL_POLICIES = frozenset({"policies", "policies.*", "policies.all"})


def facts_by_key(profile: VenueProfile, knowledge: VenueKnowledge) -> dict[str, Json]:
    """Return all facts by their keys; facts that the venue does not give have no key."""
    about = {"name": profile.name, "description": knowledge.description, "about": profile.about}
    about |= {"hours": knowledge.hours, "time_zone": profile.time_zone, "currency": profile.currency}
    found: dict[str, Json] = {f"{POLICY}{name}": text for name, text in knowledge.policies.items()}
    found[FAQS] = [{"question": faq.question, "answer": faq.answer} for faq in knowledge.faqs]
    found["ai_instructions"] = knowledge.ai_instructions
    found["contact.full"] = knowledge.contact.model_dump(exclude_defaults=True)
    found["about.full"] = {name: value for name, value in about.items() if value}
    return {key: value for key, value in found.items() if value}


def split_known(
    asked: Iterable[str], known: Mapping[str, Json], tools: Collection[str]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return (known keys, unknown keys) of the requested ones, every policy by its own key."""
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


def requested_schemas(fetched: Iterable[str]) -> set[str]:
    """Return the tools whose schemas are among these keys."""
    return {key.removeprefix(SCHEMA) for key in fetched if key.startswith(SCHEMA)}


_RUN = 5
"""This many words in a row of an entry are a quotation. A shorter entry must be quoted as a whole."""

_MOST = 2
"""Entries shown for one question: more are a list to look through, not an answer."""

_OF_TIME = words_in_all("venue_entries", "OF_TIME")
_HOW_MANY = re.compile(rf"\b(?:{alternatives('venue_entries', 'HOW_MANY')}) (\w+)")
_SHORT = 3
_WORD = re.compile(r"[^\W_]+")
_TOPIC_OF = {"returns": "refund", "shipping": "delivery"}
"""The commonest names of policies that are no words for what guests ask."""
_ALSO_ON = {"terms": "waiver", "safety": "clothes"}
"""The topic of a policy by its name; other policies only mention it in passing."""
_SPOKEN = frozenset(("returns", "shipping", "privacy", "terms", "safety", "weather"))
"""Names of policies that the core has words for in each language."""


@dataclass(frozen=True, slots=True)
class VenueFact:
    """One entry of the profile: its key, its content, its text for the operator, its topic, and the questions that it
    answers."""

    key: str
    text: str
    answer: str
    on: frozenset[str] = frozenset()
    asked: tuple[str, ...] = ()

    @property
    def question(self) -> str:
        """Return its question, "" without one."""
        return self.asked[0] if self.asked else ""

    @property
    def synonyms(self) -> tuple[str, ...]:
        """Return the other wordings of its question."""
        return self.asked[1:]

    @property
    def topics(self) -> frozenset[str]:
        """Return all topics of the entry."""
        return self.on | topics_in(self.text)

    @property
    def spoken_of(self) -> frozenset[str]:
        """Return the topics and those of its questions: "can we eat outside?" is on being outside, not on food."""
        return self.topics.union(*map(topics_in, self.asked))


def entries_of(knowledge: VenueKnowledge) -> list[VenueFact]:
    """Return every entry that may be quoted, in the active locale (`speak`)."""
    found = []
    for name, text in knowledge.policies.items():
        words = name.replace("_", " ")
        on = topics_in(words) | {_TOPIC_OF.get(name, name)} | ({_ALSO_ON.get(name, "")} & topics_in(text))
        words = translate(f"policy.name_{name}") if name in _SPOKEN else words
        found.append(VenueFact(f"{POLICY}{name}", text, translate("policy.quoted", name=words, text=text), on))
    for number, faq in enumerate(knowledge.faqs, 1):
        message = translate("policy.answered", question=faq.question, text=faq.answer)
        requested = (faq.question, *faq.synonyms)
        found.append(VenueFact(f"{FAQS}.{number}", faq.answer, message, _asked_on(requested), requested))
    if knowledge.hours:
        found.append(_named("hours", knowledge.hours, "hours"))
    contact = knowledge.contact.model_dump(exclude_defaults=True)
    found += [_named(f"contact.{field}", str(text), field) for field, text in contact.items()]
    if knowledge.description:
        found.append(_named("about", knowledge.description, "about"))
    return found


def _asked_on(requested: Sequence[str]) -> frozenset[str]:
    """Return the topic of questions: that of the first, and what the others have in common with it, else all."""
    first, *others = map(topics_in, requested)
    return first.union(*(topics for topics in others if not topics & first))


def _named(key: str, text: str, name: str) -> VenueFact:
    return VenueFact(
        key, text, translate("policy.quoted", name=translate(f"policy.name_{name}"), text=text), frozenset({name})
    )


def answering(question: str, entries: Sequence[VenueFact]) -> list[VenueFact]:
    """Return the entries that answer a question: those with the same question, else those on all its topics, and of
    these the ones mainly on them."""
    topics, things = topics_in(question), things_in(question)
    if (same := asked_in(question, entries)) and things <= same.spoken_of:
        return [same]
    if not topics:
        return _counting(question, entries)
    speaking = [
        entry for entry in entries if topics <= entry.topics or (things & entry.on and topics <= entry.spoken_of)
    ]
    if not things and (on := [entry for entry in speaking if topics <= entry.on]):
        return on[:_MOST]
    if not things:
        # Nearly every entry mentions an amount or a duration, so it must be of the same thing.
        return [e for e in speaking if _says_together(question, topics, e)][:_MOST]
    return ([e for e in speaking if things <= e.on] or [e for e in speaking if things & e.on] or speaking)[:_MOST]


def asked_in(question: str, entries: Sequence[VenueFact]) -> VenueFact | None:
    """Return the entry that has the same question; None without one."""
    return best_entry(question, entries, SAME) if is_question(question) else None


def _counting(question: str, entries: Sequence[VenueFact]) -> list[VenueFact]:
    """Return the entry that counts what is asked for: for "how many trampolines?" the one with "forty trampolines"."""
    asked = _HOW_MANY.search(normalize_text(question))
    if asked is None or len(asked[1]) <= _SHORT:
        return []
    noun = re.compile(rf"((?:\w+ )?\w+) {re.escape(asked[1][:-1])}\w{{0,2}}\b")
    return [e for e in entries if any(figures_in(found[1]) for found in noun.finditer(normalize_text(e.text)))][:1]


def _says_together(question: str, topics: frozenset[str], entry: VenueFact) -> bool:
    requested = _long_words(question)
    sentences = re.split(r"[.;!?]\s+", entry.text)
    return any(topics <= topics_in(sentence) and requested & _long_words(sentence) for sentence in sentences)


def _long_words(text: str) -> set[str]:
    return {word[:6].rstrip("s") for word in _WORD.findall(normalize_text(text)) if len(word) > 3} - _OF_TIME


def bearing_out(statement: str, entries: Sequence[VenueFact]) -> list[VenueFact]:
    """Return the entries that a statement quotes or paraphrases: the same things, no other figure, and no "not" that
    the entry lacks."""
    quoted = [entry for entry in entries if quotes(statement, entry)]
    if quoted:
        return quoted[:_MOST]
    things = topics_in(statement)
    # "You get a confirmation e-mail" does not say which e-mail is the venue's.
    entries = [entry for entry in entries if not entry.key.startswith("contact.")]
    return [e for e in entries if things and things <= e.topics and things & e.on and _agrees(statement, e.text)][:1]


def _agrees(statement: str, text: str) -> bool:
    return figures_in(statement) <= figures_in(text) and negated(statement) == negated(text)


def quotes(text: str, entry: VenueFact) -> bool:
    """Return whether words contain a quotation of an entry."""
    spoken, own = _WORD.findall(normalize_text(text)), _WORD.findall(normalize_text(entry.text))
    length = min(_RUN, len(own))
    runs = {tuple(own[index : index + length]) for index in range(len(own) - length + 1)}
    return length > 0 and any(tuple(spoken[place : place + length]) in runs for place in range(len(spoken)))
