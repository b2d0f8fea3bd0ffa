"""Italian words around the text of a note, see `offline_planner.orders.notes`."""

NOUN = r"(?:nota|note|commento|annotazione|appunto)"
"""What a note is called; it stands for {noun} in `PATTERNS`."""
NEXT_ORDER = (
    r"(?:(?:\s*[,;.]\s*|\s+)(?:e|poi|e poi|e anche)\s+|\s*[,;.]\s*)(?:sposta|cambia|aggiorna|metti|porta|"
    r"cancella|annulla|rimanda)(?:la|lo)?\b|(?:\s*[,;.]\s*|\s+)(?:e|poi|e poi|e anche)\s+(?:togli|togline|aggiungi|"
    r"aggiungine|leva|levane)\s+(?:\d+|un[oa]?|due|tre|quattro)\b|(?:\s*[,;.]\s*|\s+)(?:e|poi|e poi|e anche)\s+"
    r"(?:diventano|sono|saranno|vengono|siamo|saremo)\s+(?:in\s+|ora\s+)?\d+\b"
)
"""Where the next order begins behind a note."""
PATTERNS = (
    r"(?:\b{noun}\b[^:;]*?)(?::|->|=>|\s[-–—]\s)\s*(?P<text>\S.*)",
    r"\b{noun}\b(?:(?!\bche\b)[^:;])*?\s(?:che|dicendo che|con scritto)\s+(?P<text>\S.*)",
    r"\b(?:annot|segn|scriv|appunt)\w+\s+(?:su|sulla|sul|nella|nel|alla|al|per|a)\s+[^:;]*?:\s+(?P<text>\S.*)",
    r"^\W*(?:#?\d{3,}\W+)?(?!.*\b(?:spost\w+|venire|viene|vengono|anticip\w+|posticip\w+|prima|dopo|alle|ore|"
    r"persone)\b)"
    r"(?P<text>.{8,}?)[\s,;.–-]+(?:per favore\s+)?(?:segna|scrivi|annota|appunta|segni|"
    r"scriva|annoti)"
    r"(?:lo|telo|melo|tela|la)?(?:\s+(?:nelle|nella|sulla|sulle|in)\s+(?:{noun}|prenotazione|"
    r"scheda))?(?:\s+(?:pls|per favore|grazie|pf))?\W*$",
    r"\b(?:segna|scrivi|annota|aggiungi|appunta|metti|registra|lascia scritto)(?:ti|mi|ci|lo|telo|melo)?\s+"
    r"(?:(?:su|sulla|sul|nella|nel|alla|al|per|a)\s+.+?\s+)?che\s+(?P<text>\S.*)",
    r"\b(?:aggiungi|metti|scrivi|inserisci)\s+(?:alla|sulla|nella|per la)\s+.+?\s+(?:la|una)\s+{noun}\s+"
    r"(?P<text>(?!a\b|al\b|alla\b|alle\b|sulla\b|per\b|su\b|che\b|di\b|della\b|e\b)[^\W\d].*)",
    r"\b(?:segnare|scrivere|annotare|aggiungere)\s+(?:(?:su|sulla|sul|nella|nel|alla|al|per|a)\s+.+?\s+)?che\s+"
    r"(?P<text>\S.*)",
    r"\b(?:{noun}|aggiungi|metti|scrivi|segna)\b[^'‘]*?(?<!\w)['‘](?P<text>[^'‘’]+(?:['’]\w[^'‘’]*)*)['’](?!\w)",
    r"\b{noun}\s+(?:per|su|sulla|sul|alla|a)\s+(?:la\s+)?(?:prenotazione\s+)?#?(?:[A-Za-z]{1,5}-)?\d{3,}\s+"
    r"(?P<text>(?!a\b|al\b|alle\b|e\b|poi\b|che\b|è\b|per favore\b|con\b)[^\W\d].*)",
    r"\b(?:aggiungi|metti|scrivi|segna)\s+[\"“«](?P<text>[^\"”»]+)[\"”»]",
    r"(?:^\W*|[,.;]\s*|\b(?:anche|e|poi|per favore)\s+)(?:annota|appunta|annotare)\s+(?:anche\s+|pure\s+)?"
    r"(?P<text>(?!su\b|sul\b|sulla\b|a\b|al\b|alla\b|nella\b|nel\b|per\b|che\b|la nota\b|"
    r"una nota\b)[^\W\d]\S*\s+\S.*)",
    r"\b{noun}\b[^\"“«]*[\"“«](?P<text>[^\"”»]+)[\"”»]",
    r"\b(?:aggiungi|metti|segna|scrivi|inserisci|lascia)(?:ci|mi|gli)?\s+(?:pure\s+|anche\s+|"
    r"per favore\s+)*(?:una\s+|la\s+)?nota\s+"
    r"(?P<text>(?!a\b|al\b|alla\b|alle\b|ai\b|sulla\b|sul\b|per\b|su\b|che\b|di\b|della\b|dei\b|"
    r"del\b|e\b|nella\b|con\b|è\b|dicendo\b)\w.*)",
    r"\b(?:aggiungi|metti|lascia|scrivi|inserisci)\s+(?:una\s+|la\s+|questa\s+)?{noun}"
    r"(?:\s+(?:a|al|alla|su|sul|sulla|per|nella)\s+[^,:;]{1,45}?)?\s*,\s*(?P<text>(?!(?:e|poi|anche|per favore|"
    r"grazie)\b)[^\W\d].*)",
    r"\b{noun}\b[^:;]{0,40}?\s(?:deve|dovrebbe)\s+(?:dire|essere)\s+(?P<text>[^\W\d].*)",
    r"^\s*(?:prenotazione\s+)?(?:#?\d{3,}|[A-Za-z]{1,5}-\d+|[^\W\d]+(?:\s[^\W\d]+)?)\s*[:,–-]\s*"
    r"(?:aggiungi|metti|lascia|scrivi)\s+(?:una\s+)?{noun}\s+(?P<text>(?!a\b|al\b|alla\b|per\b|su\b|"
    r"che\b)[^\W\d].*)",
    r"\b(?:aggiungi|metti|scrivi|segna|annota)\s+(?P<text>(?!un[oa']?\b|la\s+{noun}|questa|questo).+?)"
    r"\s+(?:nella|nelle|alle|tra le|alla|come)\s+{noun}\b",
)
"""How the text of a note is dictated, the likeliest way first."""
TYPED_AS = (("che", "ke"),)
"""How a word of the patterns is typed in a hurry."""
ON = r"sulla|alla|per la|nella"
BOOKING = r"prenotazione"
"""In front of a booking's number at the end of a note."""
CONTACT = r"e-?mail|mail|cell\w*|telefono|numero"
IS = "è|e'"
"""Between a contact detail's name and its value."""
AND = "e|più|poi"
AND_ALSO = "anche"
"""What joins a step to a note, and what may stand behind that."""
