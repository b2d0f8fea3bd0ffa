"""Asking for room ("is Saturday 3pm free for Leo's party?"): looked up first; only the answer to that makes a move."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date, time

from contracts.enums import ParameterRole as Role
from language import When, day_and_time_label, day_label, join_labels, time_label
from sandbox.model.arguments import moment_of
from sandbox.model.bookings import Transcript
from sandbox.model.kinds import Kind
from sandbox.model.phrases import phrase_set
from sandbox.model.prompt import Brief
from sandbox.model.protocol import ASK, Call, Message, Reply, as_json
from sandbox.model.sentence import Marked
from sandbox.model.tools import Tool, Toolbox
from sandbox.model.wording import say
from sandbox.model.words import fold

_SPACE = {
    "en": r"\b(?:free|available|availability|vacant|vacanc(?:y|ies)|fully booked|booked (?:out|up|solid)|sold out)\b"
    r"|\b(?:any|enough|have|got|there|still|much|more) (?:\w+ )?"
    r"(?:room|space|spaces|slots?|spots?|places?|openings?|gaps?)\b",
    "it": r"\b(?:liber[oaie]|disponibil\w+|posto|posti|spazio|buc(?:o|hi)|slot|al completo|esaurit[oaie]|pien[oaie])\b",
}
_OPENS = {
    "en": r"^\W*(?:(?:hi|hey|hello|ok|so|and|please|pls|can you|could you)\W+)*(?:is|are|do|does|have|any|what|whats|"
    r"which|when|can|could|check|see|how|got|availability|anything)\b",
    "it": r"^\W*(?:(?:ciao|ok|e|scusa|per favore|puoi|potresti)\W+)*(?:c e|ce|ci sono|cosa|che|quali|quale|quando|e|"
    r"abbiamo|avete|si puo|controlla|controllare|verifica|verificare|vedi|guarda|disponibil\w+|qualcosa)\b",
}
_ORDERS = phrase_set("move|cancel|change|resize|add|rename")


@dataclass(frozen=True, slots=True)
class Session:
    """One session of a day; `places` is None without a limit."""

    product: str
    at: str
    places: int | None


def asks_for_room(marked: Marked) -> bool:
    """Whether a sentence asks what is free at a day or time, and orders nothing."""
    if not any(i.kind is Kind.WHEN for i in marked.items):
        return False
    if any(i.kind is Kind.VERB and i.sense in _ORDERS for i in marked.items):
        return False
    code = marked.words.code
    plain = " ".join(fold(w) for w in re.findall(r"[^\W_]+|\?", marked.text.replace("'s", "s").replace("’s", "s")))
    asked = marked.text.rstrip().endswith("?") or re.match(_OPENS[code], plain) is not None
    return asked and re.search(_SPACE[code], plain) is not None


def as_move(marked: Marked) -> Marked:
    """The same sentence as the move it asks about, for when the answer is yes."""
    items = [
        i.as_(Kind.FILL) if i.kind in (Kind.ASKING, Kind.COUNT) or _ABOUT_ROOM.fullmatch(fold(i.text)) else i
        for i in marked.items
    ]
    return Marked(marked.text, tuple(items), marked.words)


def is_yes(text: str) -> bool:
    """Whether an answer only agrees."""
    return _YES.fullmatch(" ".join(re.findall(r"[^\W_]+", fold(text)))) is not None


_ABOUT_ROOM = re.compile(
    r"free|available|availability|vacant|room|rooms|space|spaces|slots?|spots?|places?|openings?|gaps?|left|still|"
    r"booked|fully|any|enough|check|see|if|kids|guests|people|children|"
    r"liber[oaie]|disponibil\w+|post[oi]|spazio|ancora|controlla|verifica|vedi|se|bambini|ospiti|persone"
)
_YES = re.compile(
    r"(?:yes|yep|yeah|yup|sure|ok|okay|please|do|it|that|go|ahead|thanks|great|perfect|fine|move|"
    r"si|certo|va|bene|vai|procedi|pure|grazie|perfetto|ottimo|d|accordo|spostala|fallo|falla|good|sounds|\s)+"
)


def checker(toolbox: Toolbox) -> Tool | None:
    """The look-up that lists what a day has, told by needing a day and no booking."""
    looks = (t for t in toolbox.tools if t.reads and not t.with_role(Role.SEARCH, Role.BOOKING))
    return next((t for t in looks if any(p.role is Role.DATE and p.required for p in t.params)), None)


def room_reply(marked: Marked, named: bool, messages: list[Message], brief: Brief, tool: Tool) -> Reply | None:
    """The look-up, or what it showed; None when no day is said. `named`: a booking was spoken of. Raises
    `UnclearError`."""
    whens = [i.value for i in marked.items if i.kind is Kind.WHEN and isinstance(i.value, When)]
    moments = [moment_of(w.resolution, w.text, None, brief) for w in whens]
    days = {m.day for m in moments if m.day is not None}
    times = {m.at for m in moments if m.at is not None}
    spot = tool.with_role(Role.DATE)
    if len(days) != 1 or len(times) > 1 or spot is None:
        return None
    day, at = days.pop(), times.pop() if times else None
    call = Call(tool.name, {spot.name: day.isoformat()})
    answer = Transcript.of(messages).answer(call)
    if answer is None:
        return Reply(calls=(call,))
    said, free = _told(list(_sessions(as_json(answer), "")), day, at, brief)
    # Where a plan waits, a plain "yes" confirms that plan: nothing else may be asked for a yes.
    if not named or brief.pending:
        return Reply(text=said)
    return Reply(calls=(Call(ASK, {"question": said + say("room_move" if free and at else "room_else")}),))


def _told(sessions: list[Session], day: date, at: time | None, brief: Brief) -> tuple[str, bool]:
    """What the day has, in the operator's words, and whether the time asked about has room."""
    label = day_label(day, brief.locale, today=brief.now.date())
    open_ = [s for s in sessions if s.places is None or s.places > 0]
    times = sorted({s.at for s in open_})
    shown = join_labels([time_label(time.fromisoformat(t), brief.locale) for t in times[:12]], brief.locale)
    others = say("room_others", day=label, rows=shown) if times else say("room_nothing", day=label)
    if at is None:
        return others.strip(), False
    moment = day_and_time_label(day, at, brief.locale, today=brief.now.date())
    then = [s for s in sessions if s.at == at.strftime("%H:%M")]
    fitting = [s for s in then if s in open_]
    if fitting:
        rows = [say("room_left", product=s.product, places=s.places) if s.places else s.product for s in fitting]
        return say("room_free", moment=moment, rows=", ".join(rows)), True
    return say("room_full" if then else "room_none", moment=moment) + others, False


def _sessions(data: object, product: str) -> Iterable[Session]:
    """Every object with a start time, under the nearest name above it; places are the first whole number beside it."""
    if isinstance(data, list):
        for row in data:
            yield from _sessions(row, product)
    elif isinstance(data, Mapping):
        named = next((str(data[k]) for k in ("product", "name", "title", "room", "area") if data.get(k)), product)
        start = data.get("start_time") or data.get("time")
        if isinstance(start, str) and re.match(r"\d\d:\d\d", start):
            places = next((v for v in data.values() if isinstance(v, int) and not isinstance(v, bool)), None)
            yield Session(named, start[:5], places)
        for value in data.values():
            yield from _sessions(value, named)
