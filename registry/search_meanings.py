"""What actions and requests are about in words that they do not use themselves: groups of the venue thesaurus, so that
a "bill" finds an invoice and "scrap" a cancellation."""

from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass

from contracts.action import AtomicAction
from language.somebody import names_in
from language.thesaurus import TO, languages_of, venue_words
from registry.produced import is_plural
from registry.search_things import GAP
from registry.words import unaccented, words_of

GUEST, BOOKING = "guest", "booking"
FIND, CREATE = f"{TO}find", f"{TO}create"


def meanings_of(action: AtomicAction, languages: Sequence[str]) -> list[str]:
    """The groups that an action speaks of, those that its name and path do more often."""
    path = groups_of(words_of(GAP.sub(" ", action.operation.path)), languages)
    texts = (action.title, action.description, action.when_to_use, *action.also_called)
    said = groups_of([word for text in texts for word in words_of(unaccented(text))], languages)
    return [*groups_of(name_words(action), languages), *path * 2, *dict.fromkeys(said), *deeds_of(action) * 2]


def name_words(action: AtomicAction) -> list[str]:
    """The words of an action's name but for a method before it: `PostInvoices` sends nothing by post."""
    words = words_of(action.name)
    return words[1:] if words[:1] == [action.operation.method.lower()] else words


def groups_of(words: Sequence[str], languages: Iterable[str]) -> list[str]:
    """The groups that these words speak of, as often as they do."""
    return [name for name, _ in venue_words().meant(words, languages)]


def deeds_of(action: AtomicAction) -> list[str]:
    """What the request does by its method and path: a POST to a list makes one more, a DELETE takes one away. What a
    POST to `/invoices/{id}/void` does, its own words say."""
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
class Asked:
    """What a request says: its `words`, small and plain; the groups that they speak of, each with the places of the
    words; and those of the words that are a name."""

    words: tuple[str, ...]
    meant: tuple[tuple[str, tuple[int, ...]], ...]
    names: frozenset[str]

    @classmethod
    def of(cls, text: str) -> "Asked":
        """A text, read."""
        words = tuple(words_of(unaccented(text)))
        names = frozenset(names_in(text))
        found = venue_words().meant(words, languages_of(text))
        kept = tuple((name, places) for name, places in found if names.isdisjoint(words[place] for place in places))
        return cls(words, kept, names)

    @property
    def plain_words(self) -> frozenset[str]:
        """The words but for names."""
        return frozenset(self.words) - self.names

    @property
    def groups(self) -> frozenset[str]:
        """All groups."""
        return frozenset(name for name, _ in self.meant)

    def unknown(self, known: Container[str]) -> list[str]:
        """The groups of words and phrases that no action says itself."""
        return list({n: None for n, places in self.meant if len(places) > 1 or self.words[places[0]] not in known})
