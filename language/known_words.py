"""How a text looks where only words are left that tell nobody's name: those of our own lexicon, those that a caller
vouches for, days, times and counts. For traces: nothing that is acted on comes from here.

A name that matched nothing looks like any other word. So it is not names that are taken out, but known words that are
let through; a word that is also somebody's name ("will", "rose") is not known.
"""

import re
import tomllib
from collections.abc import Collection, Iterable
from functools import cache, lru_cache
from importlib import import_module

from language.catalogue import languages, messages
from language.locales import SUPPORTED
from language.plain import plain
from language.thesaurus import FILES

LEFT_OUT = "[…]"

_ALSO_NAMES = frozenset(
    """
    abbey alba amber angel angelo april aria art ash august aurora autumn bacon baker bank banks barber basil bea
    bean bear bell belle ben berry bill bird bishop blanca bob bond bonny booker brand bravo brook buck bud buddy
    burns bush buster butcher butler candy carol carpenter carter cash chance chase christian christmas clay cliff
    cole cooper costa cross cruz daisy dale dan dawn day dean dee della dina dolly don drake drew duke dusty earl
    easter eden elder elle em ember eve fabio faith felice fern fiona fiore fisher flora ford fortunato foster fox
    france francesca frank freeman gale gardener gay gem gene gentile georgia gill ginger glen gloria grace grant
    gray greco guy hale hall harmony harper hazel heath heather heaven hill holiday holly honey hope hunter iris
    irma ivy jack jade jan jasmine jay jean jet jewel jo job joe john joy jude jules jun june junior justice kay ken
    kid king kit knight lamb lance lane lark laurel lee leo leone letizia lily linda little lord lou love lucia
    lucky luna maggie magnolia major mara marco mare margherita maria marina mario mark marsh martin mason mat matt
    may mel melody mercy merry mia miles miller mina mo monaco money moon mora moss myrtle nero nestor nick
    noble noel nona nova nunzia oak olive opal page paige palmer pansy park parker parks pastore pat patience patty
    pearl penny pepper perla perry peter pia pianta piper poppy porter potter price primo prince prudence queen
    quinn ray reed reef regina rex rich rick ricky ring rio river rob robin rocco rock rocky roman romeo rosa rose
    rossi rosso rowan roy ruby rusty sage sal sally salt salvatore sam sandy santa santo savannah scarlet scout sean
    serena shepherd singer sky smith sol sole sonny spencer star stella sterling sue summer sun sunny tailor tanner
    taylor ted terra terry tim tina tom toni tony tucker turner una vale valentine van vera verde verdi vic victor
    victory vida viola violet vita vittoria wade walker ward warren weaver webb wells west wheeler will willow wills
    win winter wise wolf wood woods woody worth young zita
    """.split()
)
"""First and last names that are words, too. Where one of them is meant as a word, it is left out for nothing."""

_CALENDAR = re.compile(r"(?:EVERY )?[Ww]\d|[Mm]\d+|R-?\d+|P\w")
_MONTHS_AND_NAMES = frozenset("april may june august jan jun".split())
"""Known where a number stands beside them."""
_NUMBER = r"\d[\d\s.,/:()+_-]*\d|\d"
_WORD = r"[^\W\d_]+(?:['’][^\W\d_]+)*"
_ID = r"\b[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b"
"""A UUID, which is drawn and tells nothing of anybody."""
_TOKEN = re.compile(rf"\S+@\S+|{_ID}|{_WORD}|{_NUMBER}|[^\W_]+")
"""An underscore is part of none: names of actions and fields are read word by word."""
_MOMENT = re.compile(
    r"(?:19|20)\d\d-\d\d-\d\d(?:[T ]\d\d?:\d\d(?::\d\d)?)?|\d\d?[/.]\d\d?(?:[/.](?:19|20)?\d\d)?|\d\d?[:.]\d\d"
)
"""A day or a time, in figures."""
_FIGURES = 4
"""A number of more figures is no count, and may be somebody's."""
_SHORT = 3
"""Letters: of longer words the plural in "s" is known with the word."""
_ENDS_A_SENTENCE = re.compile(r"(?:^|[.!?\n])[\s\"“«('-]*$")
_APOSTROPHE = re.compile(r"['’]")


@cache
def own_words() -> frozenset[str]:
    """The small words of our lexicon and our sentences in every language, and those that venues of any trade use."""
    found: set[str] = set()
    for language in SUPPORTED:
        lexicon = import_module(f"language.locales.{language}.lexicon").LEXICON
        cues = import_module(f"language.locales.{language}.cues").CUES
        found |= small_words(*lexicon.values(), *cues.values())
    for language in languages():
        found |= small_words(*messages(language).values())
    for file in FILES.values():
        for groups in tomllib.loads(file.read_text()).values():
            found |= small_words(*groups.values())
    return frozenset(found)


@cache
def _calendar() -> frozenset[str]:
    """Days and months, which are written large."""
    lexicons = [import_module(f"language.locales.{language}.lexicon").LEXICON for language in SUPPORTED]
    return small_words(*(words for one in lexicons for symbol, words in one.items() if _CALENDAR.fullmatch(symbol)))


def small_words(*texts: str) -> frozenset[str]:
    """The words of texts of ours that are written small there, but for what is somebody's name as well."""
    return frozenset().union(*map(_small_words, texts))


@lru_cache(4096)
def _small_words(text: str) -> frozenset[str]:
    written = [plain(word) for word in re.findall(_WORD, text) if word.islower()]
    return frozenset(part for word in written for part in (word, *_APOSTROPHE.split(word))) - _ALSO_NAMES


def words_of_names(names: Iterable[str]) -> frozenset[str]:
    """The words of a venue's own names: of its products, sessions and rooms."""
    return frozenset(plain(word) for name in names for word in re.findall(_WORD, name))


def shown(text: str, vouched: Collection[str] = (), named: Collection[str] = ()) -> str:
    """The text, with `LEFT_OUT` for every run of words that are not known. `vouched` are further known words, `named`
    those that are known however they are written (`words_of_names`)."""
    pieces: list[str] = []
    end = 0
    for token in _TOKEN.finditer(text):
        pieces.append(text[end : token.start()])
        pieces.append(token[0] if _known(token, text, vouched, named) else LEFT_OUT)
        end = token.end()
    told = "".join([*pieces, text[end:]])
    return re.sub(rf"{re.escape(LEFT_OUT)}(?:[\s.@_'’-]*{re.escape(LEFT_OUT)})+", LEFT_OUT, told)


def unknown_words(text: str, vouched: Collection[str] = (), named: Collection[str] = ()) -> set[str]:
    """The words that `shown` leaves out."""
    return {
        t[0]
        for t in _TOKEN.finditer(text)
        if "@" not in t[0] and t[0][0].isalpha() and not _known(t, text, vouched, named)
    }


def _known(token: re.Match[str], text: str, vouched: Collection[str], named: Collection[str]) -> bool:
    word = token[0]
    if "@" in word:
        return False
    if re.fullmatch(_ID, word):
        return True
    if word[0].isdigit():
        return _is_moment_or_count(word)
    small = plain(word)
    if small in named:
        return True
    if small in _calendar() or (small in _MONTHS_AND_NAMES and _beside_a_number(token, text)):
        return True
    whole, *endings = _APOSTROPHE.split(small)
    known = _is_word(small, vouched)
    if endings and not known:
        # "Will's party" is somebody's; "it's" and "don't" are nobody's; "l'ora" is a word behind its article.
        known = endings != ["s"] and all(_is_word(part, vouched) for part in (whole, *endings) if len(part) > 1)
    if not known:
        return False
    begins = _ENDS_A_SENTENCE.search(text, max(0, token.start() - 8), token.start()) is not None
    return word.islower() or text.isupper() or begins or len(word) == 1


def _is_word(small: str, vouched: Collection[str]) -> bool:
    one = small.removesuffix("s") if len(small) > _SHORT and small not in _ALSO_NAMES else small
    return any(word in own_words() or word in vouched for word in (small, one))


def _beside_a_number(token: re.Match[str], text: str) -> bool:
    before, after = text[max(0, token.start() - 4) : token.start()], text[token.end() : token.end() + 4]
    return re.search(r"\d(?:st|nd|rd|th)?[\s.-]*$", before) is not None or re.match(r"[\s.-]*\d", after) is not None


def _is_moment_or_count(written: str) -> bool:
    others = _MOMENT.sub(" ", written)
    return sum(map(str.isdigit, others)) <= _FIGURES
