"""The English of API documents, and the plain words that a draft uses instead.

Only for drafts (`authoring/drafts/draft.py`), which their authors review and correct.
"""

VERBS: dict[str, str] = {
    **dict.fromkeys(("get", "retrieve", "fetch", "read", "show", "view", "describe", "return", "lookup"), "look at"),
    **dict.fromkeys(("list", "find", "search", "query", "browse", "filter", "index"), "find"),
    **dict.fromkeys(("create", "post", "make", "new"), "make"),
    **dict.fromkeys(("add", "append", "attach"), "add"),
    **dict.fromkeys(("update", "patch", "put", "change", "modify", "edit", "amend", "replace", "upsert"), "change"),
    **dict.fromkeys(("delete", "destroy", "erase"), "delete"),
    **dict.fromkeys(("remove", "detach"), "remove"),
    "cancel": "cancel", "cancellation": "cancel", "cancelled": "cancel", "canceled": "cancel", "void": "void",
    "book": "book", "reserve": "reserve", "reschedule": "reschedule", "move": "move", "confirm": "confirm",
    "refund": "refund", "pay": "pay", "charge": "charge", "send": "send", "resend": "send again", "release": "release",
    "close": "close", "open": "open", "approve": "approve", "reject": "reject", "accept": "accept",
    "archive": "archive", "restore": "restore", "assign": "assign", "register": "register", "redeem": "redeem",
    "check": "check", "validate": "check", "apply": "apply", "start": "start", "stop": "stop", "finish": "finish",
    "pause": "pause", "resume": "resume", "import": "import", "export": "export", "set": "set", "merge": "merge",
    "hold": "hold", "complete": "complete", "activate": "activate", "deactivate": "deactivate", "upload": "upload",
    "download": "download", "verify": "verify", "capture": "capture", "expire": "expire", "finalize": "finalize",
}  # fmt: skip
"""The operator's verb for the first word of a summary or an operationId."""

SEVERAL = frozenset({"find"})
"""Verbs for many things at once."""

CALLS_OFF = frozenset({"cancel", "void", "release"})
CHANGES = frozenset({"change", "move", "reschedule", "set"})

COUNTS = frozenset(
    {"quantity", "qty", "guests", "guest", "count", "people", "pax", "persons", "person", "seats", "covers", "places"}
    | {"participants", "attendees", "players", "adults", "kids", "children", "size", "party", "number"}
)
"""In the names of whole numbers that count people or things."""

PAGING = frozenset({"page", "limit", "offset", "per", "max", "min", "results", "version", "cursor", "skip", "top"})
NOTES = frozenset({"note", "notes", "comment", "comments", "remark", "remarks"})
SEARCHES = frozenset({"q", "query", "search", "keyword", "keywords", "term", "terms"})
PHONES = frozenset({"phone", "mobile", "telephone", "cellphone"})
FIRST, LAST = frozenset({"first", "given", "forename"}), frozenset({"last", "family", "surname"})
PEOPLE = frozenset(
    {"guest", "customer", "client", "name", "attendee", "contact", "holder", "person", "full", "passenger", "booker"}
    | {"member", "lead", "traveler", "traveller", "organizer", "organiser", "patient", "pupil", "visitor", "buyer"}
)
STAMPS = frozenset({"created", "updated", "modified"})
"""In the names of moments that describe the record, not the booking."""
STATES = frozenset({"status", "state"})
OFF = frozenset({"cancelled", "canceled", "cancel", "void", "voided", "released"})
"""Values of a status that mean cancelled."""

DONE: dict[str, str] = {
    "cancel": "Cancelled", "void": "Voided", "release": "Released", "delete": "Deleted", "remove": "Removed",
}  # fmt: skip
"""The result of each verb."""

EVERYWHERE = frozenset(
    {"account", "tenant", "venue", "location", "organisation", "organization", "company", "merchant", "site", "shop"}
    | {"project", "workspace", "business"}
)
"""In the names of ids that are the same in every call of one venue."""

_CONSONANT_SOUND = ("uni", "use", "user", "eu", "one")


def base_verb(word: str) -> str:
    """Return the base form of a verb, "cancels" or "cancel": "cancel"; "" for a word that is no known verb."""
    word = word.lower()
    for form in (word, word.removesuffix("s"), word.removesuffix("es")):
        if form in VERBS:
            return VERBS[form]
    return ""


def with_article(noun: str) -> str:
    """Return "a booking", "an order", "a user"."""
    vowel = noun[:1].lower() in "aeiou" and not noun.lower().startswith(_CONSONANT_SOUND)
    return f"{'an' if vowel or noun.lower().startswith('hour') else 'a'} {noun}"


def plural(noun: str) -> str:
    """Return "bookings", "parties"."""
    if noun.endswith("y") and noun[-2:-1] not in "aeiou":
        return f"{noun[:-1]}ies"
    return f"{noun}es" if noun.endswith(("s", "x", "ch", "sh")) else f"{noun}s"
