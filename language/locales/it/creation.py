"""Italian words that request something new, see `language.requests.creation`."""

VAGUE = frozenset("quella quello gruppo comitiva turno visita".split())
DEFINITE = frozenset(
    "la il lo l' le i gli quella quello questa questo sua suo mia mio nostra nostro vostra vostro loro "
    "della del dalla dal alla al nella nel sulla sul dell' dall' all' nell' sull'".split()
)
LEADS_THERE = frozenset("a in per di da con su come ha hanno aveva avevano era fatto fatta".split())
PART = "orario|ora|data|giorno|nome|nota|note|numero|codice|dettagli|telefono|contatto|cambio|modifica"
ARTICLE = r"una?|uno|un'|un'altra|un altro|un'ulteriore"
NEW = r"nuov[oa]"
NEW_BEHIND = r"nuov[oa]"
MAKES = (
    r"crea|creare|creami|fai|fammi|fare|aggiungi|aggiungere|inserisci|inserire|apri|aprire|registra|prendi|"
    r"serve|vuole|vogliono|vorrebbe|vorrei|vorrebbero"
)
MAKER = r"nuov[oa]|prenota|prenotare"

# Meetings
MET = r"riunione|incontro|appuntamento|colloquio|chiamata|call"
ARRANGES = r"fissa|fissare|fissami|organizza|organizzare|programma|programmare|prenota|prenotare|pianifica"
NEW_MEETING = r"nuov[oa]\s+"
MEETS = r"incontrare|vedere|vedermi con|parlare con|incontro con"
WITH = r"con"
WISHES = r"vorrei|voglio|devo|dovrei|posso|possiamo|puoi"
ASKS_TO = r"nuov[oa]|veloce|breve|incontrare|agenda|vedere|parlare|si puo|puoi|potrei|volevo|ci|mi"
DENIES = r"non"

# Tables and other bookings
BEFORE_BOOKS = (
    r"e|ed|ciao|per favore|buongiorno|buonasera|vorrei|voglio|vorrebbe|posso|possiamo|puoi|puo|"
    r"potrei|potrebbe|devo|deve|da|mi|ci|gli|le|ok|si|allora|anche"
)
BOOKS = r"prenota(?:re|mi|ci|gli|le|te)?|prenoti(?:amo|no)?|prenoto|prenoterei|riserva(?:re|mi)?"
TAKES = (
    r"vorrei|voglio|vuole|vogliono|vorrebbe|vorrebbero|serve|servirebbe|fai|fammi|fare|fissa|fissare|fissami|dammi|"
    r"avere|prendi|aggiungi|crea|segna|segnami|mi"
)
THINGS = ("prenotazione",)
BEHIND_THING = r"per|da|il|alle|domani|stasera|oggi|lunedi|martedi|mercoledi|giovedi|venerdi|sabato|domenica|a nome"
