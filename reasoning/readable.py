"""Which words of what people say may be read in a trace: our own, and those of the actions that are on offer."""

from collections.abc import Collection, Iterable
from functools import cached_property

from contracts.action import AtomicAction
from language.known_words import shown, small_words, unknown_words, words_of_names
from reasoning.prompting import source_of

PROMPTS = ("plan.j2", "adaptive.j2", "execute.j2", "critique.j2")


class ReadableWords:
    """See `infra.traced.Words`. Worked out only when something is shown."""

    def __init__(self, actions: Iterable[AtomicAction]) -> None:
        self._actions = tuple(actions)

    def shown(self, text: str, named: Collection[str]) -> str:
        """The text with its known words only."""
        return shown(text, self._vouched, words_of_names(named))

    def unknown(self, text: str, named: Collection[str]) -> set[str]:
        """The words that this leaves out."""
        return unknown_words(text, self._vouched, words_of_names(named))

    @cached_property
    def _vouched(self) -> frozenset[str]:
        return vocabulary_of(self._actions)


def vocabulary_of(actions: Iterable[AtomicAction]) -> frozenset[str]:
    """What our prompts are made of and actions are described by; no examples, which name people."""
    texts = [source_of(name) for name in PROMPTS]
    for action in actions:
        texts += [action.name.replace("_", " "), action.title.lower(), action.description]
        texts += [p.name.replace("_", " ") for p in action.parameters]
    return small_words(*texts)
