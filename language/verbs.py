"""Verbs that ask for the same, in both languages: a title says "Cancel booking", an operator "call it off".

A high-risk action is never planned without one of its own verbs, so the clusters hold what people say of a booking
itself, and nothing that is said of a change ("scrap that").
"""

import re
from functools import cache

from language.plain import plain, words
from language.requests import parts_of

_CANCEL = """
    cancel cancels cxl canx cancelled canceled cancelling canceling cancellation
    scrap scrapped delete deleted bin binned kill
    void voided axe axed remove wipe dissolve pull
    annulla annullamento cancellazione
    annullala annullalo annullare annullata annullato annullano annulli disdire disdici disdetta disdetto
    disdice disdicono disdica cancella cancellala cancellare cancellata cancelli elimina eliminala eliminare togli
    toglimi toglietemi levami cancellami annullami disdicimi eliminami
    toglila togliamola togliere rimuovi cassa cassala
"""
_CANCEL_PHRASES = """
    call off|called off|calling off|call it off|called it off|calling it off|
    isnt happening|is not happening|not happening|not going ahead|
    not be going ahead|wont go ahead|will not go ahead|not be happening|strike it|
    isnt going ahead|is off|are off|its off|not coming any more|not coming anymore|no longer coming|arent coming|
    are not coming|is not coming|isnt coming|wont be coming|pulled out|pull out|pulling out|pull the pin|
    take off the books|take it off|get rid of|let go|not going to make it|cant make it|cannot make it|cant come|
    have bailed|has bailed|non vengono|non viene|non verranno|non si fa|non vengono piu|e saltata|e saltato|salta|
    hanno rinunciato|ha rinunciato|non se ne fa niente|non se ne fa piu|non se ne fa nulla|non si fa piu
"""
_NOTE = """
    note notes noted remark memo jot write writes
    annota annotazione nota note segna segnala segnati appunto appunta scrivi
"""
_CLUSTERS = {"cancel": (_CANCEL, _CANCEL_PHRASES), "note": (_NOTE, "write down|write that|put down that|make a note")}


def clusters_of(title: str) -> frozenset[str]:
    """The clusters whose verbs a title uses: "Cancel booking" → cancel."""
    said = {word.text for word in words(plain(title))}
    return frozenset(name for name, (single, _) in _CLUSTERS.items() if said & _words(single))


def may_say(cluster: str, text: str, locale: str) -> list[tuple[int, int]]:
    """Where a text says a verb of a cluster in any way that is known, hurried ones and slips among them."""
    senses = ("cancel", "cancelled") if cluster == "cancel" else (cluster,)
    loosely = [part.span for part in parts_of(text, locale) if part.does(*senses)]
    return sorted({*said_of(cluster, text), *loosely})


def said_of(cluster: str, text: str) -> list[tuple[int, int]]:
    """Where a text says a verb of a cluster plainly: places (start, end) in it."""
    single, phrases = _CLUSTERS[cluster]
    letters = plain(text)
    row = words(letters)
    found = [(w.start, w.end) for w in row if w.text in _words(single) or w.text.rpartition("'")[2] in _words(single)]
    for phrase in _phrases(phrases):
        found += [match.span() for match in phrase.finditer(letters)]
    return sorted(found)


@cache
def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


@cache
def _phrases(text: str) -> tuple[re.Pattern[str], ...]:
    """Apostrophes may be left out, as people do."""
    listed = [" ".join(phrase.split()) for phrase in text.split("|") if phrase.strip()]
    pieces = [phrase.replace("nt ", "n'?t ").replace("its ", "it'?s ").replace(" ", r"\s+") for phrase in listed]
    return tuple(re.compile(rf"(?<!\w){piece}(?!\w)") for piece in pieces)
