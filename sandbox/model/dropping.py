"""Leaving something out of the plan that waits for confirmation: "drop the note", "senza l'email", "just the move"."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from contracts.enums import ParameterRole as Role
from sandbox.model.figures import counted
from sandbox.model.kinds import Kind, first_but
from sandbox.model.prompt import Brief, Step
from sandbox.model.protocol import Arguments
from sandbox.model.sentence import Marked
from sandbox.model.tools import Tool, Toolbox
from sandbox.model.words import fold

_ALL_WHEN = (Role.DATE, Role.TIME)
_CONTACT = (Role.EMAIL, Role.PHONE, Role.FIRST_NAME, Role.LAST_NAME)
_ABOUT: Mapping[str, tuple[tuple[tuple[Role, ...], str], ...]] = {
    "en": (
        ((Role.NOTE,), r"notes?|comments?|remark|memo"),
        ((Role.EMAIL,), r"e ?mails?(?: address)?"),
        ((Role.PHONE,), r"(?:phone|mobile|cell)(?: number)?|telephone"),
        ((Role.FIRST_NAME, Role.LAST_NAME), r"names?|surname"),
        (_CONTACT, r"contacts?(?: details?)?|contact info"),
        ((Role.COUNT,), r"(?:guest|head) ?counts?|(?:number of )?(?:guests|kids|people)|guest|numbers|party size"),
        ((Role.DATE,), r"date|day"),
        ((Role.TIME,), r"time|start time"),
        (_ALL_WHEN, r"move|moving|reschedul(?:e|ing)|date and time|day and time"),
    ),
    "it": (
        ((Role.NOTE,), r"not[ae]|commento|annotazione|appunto"),
        ((Role.EMAIL,), r"e ?mail|posta|indirizzo e ?mail"),
        ((Role.PHONE,), r"telefono|cellulare|numero di (?:telefono|cellulare)"),
        ((Role.FIRST_NAME, Role.LAST_NAME), r"nome|cognome|nominativo"),
        (_CONTACT, r"contatt[oi]|dati di contatto"),
        ((Role.COUNT,), r"(?:numero (?:di|degli|dei|delle) )?(?:ospiti|bambini|persone|invitati)"),
        ((Role.DATE,), r"data|giorno"),
        ((Role.TIME,), r"ora|orario"),
        (_ALL_WHEN, r"spostamento|spostar(?:la|lo|e)|data e ora"),
    ),
}
_FILLER = {
    "en": r"(?:please|pls|ok|actually|and|also|but|can you|could you|lets|just|oh|no|sorry|thanks|thank you)",
    "it": r"(?:per favore|ok|anzi|e|anche|ma|pero|puoi|potresti|no|scusa|grazie|dai|allora|poi)",
}
_DROP = {
    "en": r"(?:drop|skip|forget(?: about)?|leave out|leave off|take out|take off|remove|lose|scrap|ditch|cut|cancel|"
    r"delete|omit|exclude|without|minus|except(?: for)?|not|no|(?:dont|do not)(?: (?:add|change|do|touch|set|"
    r"bother with|include|update|send|need|want|put))?|never ?mind|hold off on|undo|"
    r"no need (?:to (?:change|add|update|touch|set)|for))",
    "it": r"(?:togli(?:ere|amo)?|leva|rimuovi|elimina|cancella|escludi|salta|lascia(?:mo)? (?:perdere|stare|fuori)|"
    r"dimentica|senza|niente|nessuna|meno|tranne|eccetto|no|non(?: (?:cambiare|aggiungere|aggiornare|modificare|"
    r"mettere|toccare|fare|scrivere|voglio|cambiamo|mettiamo|serve(?: (?:cambiare|aggiungere|aggiornare|"
    r"modificare))?))?)",
}
_KEEP = {"en": r"(?:leave|keep)", "it": r"(?:lascia|lasciamo|tieni|mantieni)"}
_AS_IT_IS = {
    "en": r"(?:as (?:is|it is|it was|they are)|unchanged|the same|alone|out)",
    "it": r"(?:com e|com era|cosi com e|invariat[oae]|uguale|cosi|fuori|stare|perdere)",
}
"""Left as it is booked; "keep the note" without that could as well keep the step."""
_ONLY = {
    "en": r"(?:just|only)(?: (?:do|keep|make|change|update))?|keep only|nothing but",
    "it": r"(?:solo|soltanto|cambia solo|fai solo|lascia solo|tieni solo|solamente)",
}
_DET = {
    "en": r"(?:the|that|this|his|her|their|my|a|any)",
    "it": r"(?:il|lo|la|l|le|i|gli|quella|quello|sua|suo|un|una)",
}
_TAIL = {
    "en": r"(?:change|update|part|bit|step|one|alone|as is|as it is|as they are|from (?:the|this|that) (?:plan|list)|"
    r"out|off|please|pls|for now|unchanged|the same|thanks|then|instead|after all|anymore)",
    "it": r"(?:dal piano|dalla lista|per favore|per ora|grazie|com e|cosi com e|invariat[oa]|fuori|piu|allora|stare|"
    r"perdere)",
}
_MOVES_IT = {
    "en": r"(?:dont|do not|no need to) (?:move|reschedule)(?: (?:it|them|the booking|the party))?",
    "it": r"non spostar(?:la|lo|e)(?: piu)?|non spostiamola|lasciala dov e",
}
_BREAK = r"[,;.!?]+|\b(?:and|but|e|ma)\b(?!\s+(?:mail|time|ora)\b)"


@dataclass(slots=True)
class Dropped:
    """The roles that should go from the plan, or, with `only`, the roles that alone should stay."""

    roles: set[Role] = field(default_factory=set)
    only: set[Role] = field(default_factory=set)

    def of(self, step: Step, tool: Tool) -> Arguments | None:
        """What is left of a step; None when nothing is."""
        gone = {p.name for p in tool.params if p.role in self.roles or (self.only and p.role not in self.only)}
        spot = tool.with_role(Role.BOOKING)
        kept = {k: v for k, v in step.arguments.items() if k not in gone or (spot is not None and k == spot.name)}
        real = [k for k in kept if spot is None or k != spot.name]
        return kept if real or (len(kept) == len(step.arguments) and not self.only) else None


def pending_roles(brief: Brief, toolbox: Toolbox) -> set[Role | None]:
    """What the values of the pending plan stand for."""
    return {p.role for s in brief.pending if (t := toolbox.get(s.tool)) for p in t.params if p.name in s.arguments}


def without_dropped(text: str, brief: Brief, toolbox: Toolbox) -> tuple[str, Dropped | None]:
    """The message without the parts that leave something out, and what they leave out; None when nothing is."""
    code = "it" if brief.locale.startswith("it") else "en"
    pending = pending_roles(brief, toolbox)
    dropped, rest, last = Dropped(), "", ""
    pieces = re.split(f"({_BREAK})", text, flags=re.IGNORECASE)
    for part, stop in zip(pieces[::2], [*pieces[1::2], ""], strict=True):
        plain = " ".join(re.findall(r"[^\W_]+", fold(re.sub(r"['’]", " ", part) if code == "it" else part)))
        way, roles = _read(plain, code, last)
        if roles & pending:
            (dropped.only if way == "only" else dropped.roles).update(roles)
            last = way
        else:
            rest += part + stop
            last = ""
    if not (dropped.roles or dropped.only):
        return text, None
    return (rest if re.search(r"\w", re.sub(_FILLER[code], "", fold(rest))) else ""), dropped


def _read(plain: str, code: str, last: str) -> tuple[str, set[Role]]:
    """How a part leaves something out ("drop" or "only"), and what; "the email" after "drop the note" goes on."""
    filler = f"(?:{_FILLER[code]} )*"
    if re.fullmatch(f"{filler}(?:{_MOVES_IT[code]})", plain):
        return "drop", set(_ALL_WHEN)
    ends = f"(?: {_TAIL[code]})*"
    for roles, words in _ABOUT[code]:
        thing = f"(?:{_DET[code]} )*(?:{words}){ends}"
        if re.fullmatch(f"{filler}(?:{_ONLY[code]}) {thing}", plain):
            return "only", set(roles)
        kept = f"{filler}{_KEEP[code]} (?:{_DET[code]} )*(?:{words}) {_AS_IT_IS[code]}{ends}"
        apart = f"{filler}take (?:{_DET[code]} )*(?:{words}) (?:off|out){ends}"
        goes_on = last and re.fullmatch(filler + thing, plain)
        if goes_on or re.fullmatch(f"{filler}{_DROP[code]} {thing}|{kept}|{apart}", plain):
            return last or "drop", set(roles)
    return "", set()


def with_bare_count(marked: Marked, brief: Brief, toolbox: Toolbox) -> Marked:
    """ "actually 16" to a plan with a head count and no time: the one thing there that a bare figure can mean."""
    roles = pending_roles(brief, toolbox)
    figures = [i for i in marked.items if i.kind is Kind.NUMBER]
    alone = first_but(marked.items, Kind.NUMBER, Kind.FILL, Kind.STOP, Kind.PREP) is None and len(figures) == 1
    if not alone or not re.fullmatch(r"\d{1,3}", figures[0].text) or Role.COUNT not in roles:
        return marked
    if Role.TIME in roles and (int(figures[0].text) < 13 or brief.locale.startswith("it")):
        return marked
    return replace(marked, items=tuple(counted(i) if i in figures else i for i in marked.items))
