"""The words of people's messages that a trace may show: our own words and those of the offered actions."""

from collections.abc import Collection, Iterable
from functools import cached_property

from contracts.action import AtomicAction
from language.redaction.vocabulary import redact_unknown, small_words, unknown_words, words_of_names
from reasoning.modes.prompts import prompt_source

PROMPTS = ("plan.j2", "adaptive.j2", "execute.j2", "critique.j2")


class ReadableWords:
    """See `infra.redaction.trace_redaction.Vocabulary`. Computed only when a text is shown."""

    def __init__(self, actions: Iterable[AtomicAction]) -> None:
        self._actions = tuple(actions)

    def shown(self, text: str, named: Collection[str]) -> str:
        """Return the text with its known words only."""
        return redact_unknown(text, self._vouched, words_of_names(named))

    def unknown(self, text: str, named: Collection[str]) -> set[str]:
        """Return the words that this omits."""
        return unknown_words(text, self._vouched, words_of_names(named))

    @cached_property
    def _vouched(self) -> frozenset[str]:
        return vocabulary_of(self._actions)


def vocabulary_of(actions: Iterable[AtomicAction]) -> frozenset[str]:
    """Return the words of our prompts and of action descriptions, without examples, because those name people."""
    texts = [prompt_source(name) for name in PROMPTS]
    for action in actions:
        texts += [action.name.replace("_", " "), action.title.lower(), action.description]
        texts += [p.name.replace("_", " ") for p in action.parameters]
    return small_words(*texts)
