"""Thesaurus groups of actions and requests, so that a "bill" finds an invoice and "scrap" a cancellation."""

from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass

from contracts.action import AtomicAction
from language.text.names import find_names
from language.vocabulary.thesaurus import TO, languages_of, venue_words
from registry.search.dependencies import GAP
from registry.search.produced_ids import is_plural
from registry.text import unaccented, words_of

GUEST, BOOKING = "guest", "booking"
FIND, CREATE = f"{TO}find", f"{TO}create"


def meanings_of(action: AtomicAction, languages: Sequence[str]) -> list[str]:
    """Return the groups that an action mentions; those in its name and path are repeated."""
    path = groups_of(words_of(GAP.sub(" ", action.operation.path)), languages)
    texts = (action.title, action.description, action.when_to_use, *action.aliases)
    messages = groups_of([word for text in texts for word in words_of(unaccented(text))], languages)
    return [*groups_of(name_words(action), languages), *path * 2, *dict.fromkeys(messages), *audit_entries(action) * 2]


def name_words(action: AtomicAction) -> list[str]:
    """Return the words of an action's name without a leading method: `PostInvoices` sends nothing by post."""
    words = words_of(action.name)
    return words[1:] if words[:1] == [action.operation.method.lower()] else words


def groups_of(words: Sequence[str], languages: Iterable[str]) -> list[str]:
    """Return the groups of these words, as often as they occur."""
    return [name for name, _ in venue_words().meant(words, languages)]


def audit_entries(action: AtomicAction) -> list[str]:
    """Return what the request does by its method and path: a POST to a list creates an entry, a DELETE removes one. The
    words of `/invoices/{id}/void` describe a POST to it."""
    path, method = action.operation.path.rstrip("/"), action.operation.method
    before, _, last = path.rpartition("/")
    if method == "GET" or action.read_only:
        return [FIND]
    if method == "DELETE":
        return [f"{TO}remove", f"{TO}cancel"]
    if method in ("PUT", "PATCH") or GAP.search(last):
        return [f"{TO}change"]
    return [] if GAP.search(before.rpartition("/")[2]) and not is_plural(last) else [CREATE]


@dataclass(frozen=True)
class SearchQuery:
    """A parsed request: its `words`, lower-case and plain; their groups, each with the positions of the words; and
    those of the words that are a name."""

    words: tuple[str, ...]
    meant: tuple[tuple[str, tuple[int, ...]], ...]
    names: frozenset[str]

    @classmethod
    def of(cls, text: str) -> "SearchQuery":
        """Return the parsed form of a text."""
        words = tuple(words_of(unaccented(text)))
        names = frozenset(find_names(text))
        found = venue_words().meant(words, languages_of(text))
        kept = tuple((name, indexes) for name, indexes in found if names.isdisjoint(words[index] for index in indexes))
        return cls(words, kept, names)

    @property
    def plain_words(self) -> frozenset[str]:
        """Return the words except names."""
        return frozenset(self.words) - self.names

    @property
    def groups(self) -> frozenset[str]:
        """Return all groups."""
        return frozenset(name for name, _ in self.meant)

    def unknown(self, known: Container[str]) -> list[str]:
        """Return the groups of words and phrases that no action contains."""
        return list({n: None for n, indexes in self.meant if len(indexes) > 1 or self.words[indexes[0]] not in known})
