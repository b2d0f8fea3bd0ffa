"""The entries of a venue's profile, and which of them answer a question or bear out a statement."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from contracts.venue import VenueKnowledge
from language import policies
from language.catalogue import say
from language.figures import figures_in
from language.plain import plain
from language.polarity import negated
from language.venue_topics import things_in, topics_in
from reasoning.knowing import FAQS, POLICY

_RUN = 5
"""So many words in a row, as an entry has them, are a quotation; a shorter entry must stand there as a whole."""

_MOST = 2
"""Entries that are told of one question: more are a list to look through, not an answer."""

_OF_TIME = frozenset(
    ("long", "much", "does", "hour", "minute", "day", "week", "half", "before", "after", "prima", "dopo")
)
_HOW_MANY = re.compile(r"\b(?:how many|quant[ei]) (\w+)")
_SHORT = 3
_WORD = re.compile(r"[^\W_]+")
_TOPIC_OF = {"returns": "refund", "shipping": "delivery"}
"""The commonest names of policies that are no words for what guests ask."""
_ALSO_ON = {"terms": "waiver", "safety": "clothes"}
"""What a policy of this name is on where it speaks of it: others speak of it in passing."""
_SPOKEN = frozenset(("returns", "shipping", "privacy", "terms", "safety", "weather"))
"""Names of policies that the core has words for in each language."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry of the profile: its key, what it says, how it is told, what it is the entry on, and the questions that
    it is the answer to."""

    key: str
    text: str
    told: str
    on: frozenset[str] = frozenset()
    asked: tuple[str, ...] = ()

    @property
    def topics(self) -> frozenset[str]:
        """All that it speaks of."""
        return self.on | topics_in(self.text)

    @property
    def spoken_of(self) -> frozenset[str]:
        """The same, and all that its questions name: "can we eat outside?" is on being outside, not on food."""
        return self.topics.union(*map(topics_in, self.asked))


def entries_of(knowledge: VenueKnowledge) -> list[Entry]:
    """Every entry that may be quoted, told in the language that was said (`speak`)."""
    found = []
    for name, text in knowledge.policies.items():
        words = name.replace("_", " ")
        on = topics_in(words) | {_TOPIC_OF.get(name, name)} | ({_ALSO_ON.get(name, "")} & topics_in(text))
        words = say(f"policy.name_{name}") if name in _SPOKEN else words
        found.append(Entry(f"{POLICY}{name}", text, say("policy.quoted", name=words, text=text), on))
    for number, faq in enumerate(knowledge.faqs, 1):
        told = say("policy.answered", question=faq.question, text=faq.answer)
        asked = (faq.question, *faq.also_asked)
        found.append(Entry(f"{FAQS}.{number}", faq.answer, told, _asked_on(asked), asked))
    if knowledge.hours:
        found.append(_named("hours", knowledge.hours, "hours"))
    contact = knowledge.contact.model_dump(exclude_defaults=True)
    found += [_named(f"contact.{field}", str(text), field) for field, text in contact.items()]
    if knowledge.description:
        found.append(_named("about", knowledge.description, "about"))
    return found


def _asked_on(asked: Sequence[str]) -> frozenset[str]:
    """What questions are on: what the first names, and of the others what they have in common with it, else all."""
    first, *others = map(topics_in, asked)
    return first.union(*(topics for topics in others if not topics & first))


def _named(key: str, text: str, name: str) -> Entry:
    return Entry(key, text, say("policy.quoted", name=say(f"policy.name_{name}"), text=text), frozenset({name}))


def answering(question: str, entries: Sequence[Entry]) -> list[Entry]:
    """The entries that answer a question: those that guests ask in the same words, else those that speak of all that it
    names, and of these the ones that are on it."""
    topics, things = topics_in(question), things_in(question)
    same = [entry for entry in entries if entry.asked and policies.same_question(question, entry.asked)]
    # In nearly the same words one may ask of another thing: without eggs, not without gluten.
    if same := [entry for entry in same if things <= entry.spoken_of]:
        return same[:_MOST]
    if not topics:
        return _counting(question, entries)
    speaking = [
        entry for entry in entries if topics <= entry.topics or (things & entry.on and topics <= entry.spoken_of)
    ]
    if not things and (on := [entry for entry in speaking if topics <= entry.on]):
        return on[:_MOST]
    if not things:
        # Of how much and how long nearly every entry says something: it must say it of the same thing.
        return [e for e in speaking if _says_together(question, topics, e)][:_MOST]
    return ([e for e in speaking if things <= e.on] or [e for e in speaking if things & e.on] or speaking)[:_MOST]


def _counting(question: str, entries: Sequence[Entry]) -> list[Entry]:
    """The entry that counts what is asked for: of "how many trampolines?" the one with "forty trampolines"."""
    asked = _HOW_MANY.search(plain(question))
    if asked is None or len(asked[1]) <= _SHORT:
        return []
    noun = re.compile(rf"((?:\w+ )?\w+) {re.escape(asked[1][:-1])}\w{{0,2}}\b")
    return [e for e in entries if any(figures_in(found[1]) for found in noun.finditer(plain(e.text)))][:1]


def _says_together(question: str, topics: frozenset[str], entry: Entry) -> bool:
    asked = _long_words(question)
    sentences = re.split(r"[.;!?]\s+", entry.text)
    return any(topics <= topics_in(sentence) and asked & _long_words(sentence) for sentence in sentences)


def _long_words(text: str) -> set[str]:
    return {word[:6].rstrip("s") for word in _WORD.findall(plain(text)) if len(word) > 3} - _OF_TIME


def bearing_out(statement: str, entries: Sequence[Entry]) -> list[Entry]:
    """The entries that a statement quotes, or says in other words: the same things, no other figure, and no "not" where
    the entry has none."""
    quoted = [entry for entry in entries if quotes(statement, entry)]
    if quoted:
        return quoted[:_MOST]
    things = topics_in(statement)
    # "You get a confirmation e-mail" says nothing of which e-mail is the venue's.
    entries = [entry for entry in entries if not entry.key.startswith("contact.")]
    return [e for e in entries if things and things <= e.topics and things & e.on and _agrees(statement, e.text)][:1]


def _agrees(statement: str, text: str) -> bool:
    return figures_in(statement) <= figures_in(text) and negated(statement) == negated(text)


def quotes(said: str, entry: Entry) -> bool:
    """Whether words have a run of an entry's own."""
    spoken, own = _WORD.findall(plain(said)), _WORD.findall(plain(entry.text))
    length = min(_RUN, len(own))
    runs = {tuple(own[place : place + length]) for place in range(len(own) - length + 1)}
    return length > 0 and any(tuple(spoken[place : place + length]) in runs for place in range(len(spoken)))
