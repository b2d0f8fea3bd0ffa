"""Italian words of what a question or an entry of a venue's profile is about, see `language.venue_facts.topics`."""

TOPICS = {
    "hours": r"(?:fino a|da) che ora|apr(?:e|ite|ono|iamo)|(?<!all')apert[oaie]|apertur[ae]|"
    r"chiud(?:e|ete|ono|iamo)|chius[oaie]|chiusur[ae]|orari[oi]?",
    "phone": r"contattar\w*|vi (?:contatto|contattiamo|chiamo|telefono)|numero di telefono|telefono|telefonar\w*|"
    r"chiamarvi|numero (?:a cui|da|per|dove) (?:vi )?(?:chiam|telefon)\w+",
    "email": r"e-?mail|posta elettronica",
    "website": r"sito",
    "address": r"indirizzo|dove (?:siete|si trova|vi trovate|siamo)|come (?:si arriva|arrivo|ci si arriva)|"
    r"come vi (?:raggiung|trov)\w+|(?:in )?che (?:via|strada|piazza)",
    "parking": r"garage|post[oi] (?:auto|macchina|per (?:l'auto|la macchina|le auto|le macchine))|"
    r"parcheggi\w*|posteggi\w*|(?:lasci|mett)\w+ (?:la macchina|l'auto)",
    "refund": r"rimbors\w*|soldi indietro|restitu\w*|penal[ei]|"
    r"(?:ridar|ridat|riaver|riavr|rest\w+ )\w* i (?:miei )?(?:soldi|denaro)|ridate i soldi|"
    r"(?:perdo|perdiamo) (?:i soldi|tutto)",
    "delivery": r"spedi\w+|consegn\w+|inviat[oaie]",
    "voucher": r"vouchers?|buon[oi](?! pasto)(?: regalo)?",
    "expiry": r"scad\w+|valid[oaie]",
    "privacy": r"privacy|gdpr|dati personali",
    "weather": r"piov\w+|pioggia|temporal[ei]|grandin\w+|maltempo|nevic\w+|neve",
    "age": r"ha (?:\d+|un|due|tre|quattro|cinque|sei|sette|otto|nove|dieci) ann[oi]|sotto i \w+ anni|"
    r"eta|quanti anni|da che eta|neonat\w+|troppo piccol[oaie]",
    "clothes": r"calz(?:e|ini|ettoni)|scarpe|scalz[oaie]|vestirsi|vestit[oi]|si veste|indossar\w*|casc(?:o|hi)|giacca|"
    r"cravatta|abbigliamento",
    "weight": r"kg|pes(?:a|are|o)",
    "cake": r"tort[ae]",
    "food": r"cibo|mangiare|bere|bevande",
    "meals": r"brunch|pranz\w+|cen(?:a|e|are|iamo)|colazione|aperitiv[oi]",
    "dish": r"pizz[ae]|hamburger|sandwich|panin[oi]|sushi|dolc[ei]|gelat[oi]|menu|degustazione",
    "alcohol": r"birr[ae]|vino|alcolic\w+",
    "outdoor": r"all'aperto|fuori(?! (?:menu|citta|orario|servizio))|dehors?|terrazz[ae]|terrazzin[oia]|giardin[oi]|"
    r"cortile|estern[oaie]",
    "highchair": r"seggiolon[ei]|seggiolin[oi]",
    "childrens": r"(?:menu|porzion[ei]|piatt[oi]|area|spazio|angolo) (?:per |dei |da )?(?:i )?"
    r"(?:bambini|bimbi|piccoli)",
    "late": r"ritard\w+",
    "large": r"comitiv[ae]|tavolat[ae]|(?:grandi|grossi) (?:gruppi|tavoli)|grupp[oi] (?:numeros|grand)[oi]|in tant[ie]",
    "heating": r"riscaldat\w+|riscaldament[oi]|aria condizionata|climatizzat\w+",
    "charging": r"ricaric\w+|colonnin[ae]|auto elettric(?:a|he)",
    "arriving": r"in anticipo|quanto (?:tempo )?prima|presentarsi|"
    r"(?:dobbiamo|devo|devono|bisogna) (?:arrivare|venire|essere li)",
    "waiver": r"liberatori[ae]|firm(?:a|are|ano|e)|consenso",
    "price": r"quanto cost\w+|cost[aio]|prezz[oi]|sconti?|gratis|gratuit[oaie]|bigliett[oi]|ingresso|supplemento",
    "paying": r"amex|visa|paypal|buoni pasto|pagar(?:e|l[aoie]|si|vi)|pagamento|carte?|contanti|bancomat|rate",
    "deposit": r"caparr[ae]|acconto",
    "pets": r"labrador|cane|cani|gatt[oi]|animal[ei]|cagnolin[oi]",
    "smoking": r"fum(?:are|atori|o)|sigarett[ae]|svap\w+",
    "wifi": r"wi-?fi|internet|password",
    "toilets": r"bagn[oi]|toilette|fasciatoio|servizi",
    "access": r"disab\w+|carrozzin[ae]|sedia a rotelle|passeggin[oi]|ascensore",
    "lockers": r"armadiett[oi]|guardaroba|deposito|zain[oi]|bors[ae]",
    "watching": r"spettator[ei]|guardare|assistere|accompagnator[ei]",
    "photos": r"foto\w*|riprese|registra\w+",
    "firstaid": r"primo soccorso|defibrillator[ei]",
    "decorations": r"confetti|dj|palloncin[oi]|candel[ae]|musica|decorazion[ei]",
    "capacity": r"max|capienza|al massimo|massimo|quanti ce ne stanno",
    "staff": r"lavorare|assum\w+",
    "holidays": r"natale|pasqua|ferragosto|capodanno|festivi",
    "howlong": r"quanto (?:tempo(?! prima)|dura|ci mette|ci vuole|durano)|giorni lavorativi|entro \w+ (?:giorni|ore)",
    "insurance": r"assicura\w+|responsabilita",
    "beginners": r"principiant[ei]|prima volta|esperienza",
    "membership": r"abbonament[oi]|tesser[ae]",
    "birthdays": r"pacchett[oi]",
}
DIET = {
    "gluten": r"glutine|celiac\w*|celiach\w+|frumento|grano|orzo|segale",
    "dairy": r"lattosio|latte|latticin[io]|formagg[io]+|burro|panna|caseina",
    "nuts": r"frutta secca|frutta a guscio|noc[ei]|nocciol[ae]|mandorl[ae]|pistacch[io]+|anacard[io]+|pinoli",
    "peanuts": r"arachid[ei]|noccioline",
    "eggs": r"uov[oa]",
    "fish": r"pesce|tonno|acciugh[ae]|alic[ei]|baccala|salmone",
    "shellfish": r"crostace[io]|gamber\w+|scamp[io]|frutti di mare|aragost[ae]|granchi\w*",
    "molluscs": r"mollusch[io]|vongol[ae]|cozze|ostrich[ae]|calamar[io]|polp[oi]|seppi[ae]",
    "soy": r"tofu|soia",
    "celery": r"sedano",
    "mustard": r"senape",
    "sesame": r"sesamo",
    "sulphites": r"solfiti",
    "lupin": r"lupini",
    "vegan": r"vegan[oaie]|vegetale",
    "vegetarian": r"vegetarian[oaie]|senza carne",
    "faith": r"halal|kosher|haram|maiale",
    "sugar": r"diabet\w+|zuccher[oi]|dolcificant[ei]",
    "onion": r"cipoll[ae]|aglio",
    "pregnancy": r"incinta|gravidanza|crud[oaie]",
    "traces": r"contamin\w+|tracce|(?:stess[oa]|a parte|separat[oa]) (?:forno|cucina|friggitrice|olio)|"
    r"(?:forno|cucina|friggitrice|olio|ambient[ei]) (?:separat[oaie]|a parte|dedicat[oaie])",
    "allergy": r"allerg\w+|intolleran\w+",
}

WITHOUT = r"senza|privi? di|priv[ae] di|conteng\w+|contien\w+"
CANNOT_HAVE = r"allergic[oaihe]+|intolleran\w+"
CANNOT_HAVE_TO = r"al?|all[ao'e]|ai|agli"
"""Words for what a guest wants to avoid, or cannot have."""
ARTICLE = r"il|lo|la|le|gli|i|un|una|del(?:l[aoe'])?|dei|degli|l'"
NO_THING = r"\w+(?:are|ere|ire)"
"""Words that are not eaten: "senza pagare"."""
OTHERWISE = (
    (r"cani? cald[oi]|gatto (?:di|alle|ai) patate", "panino"),
    (r"pesc[ei] gatt[oi]", "pesce"),
    (r"lingu[ae] di gatto", "panino"),
)
"""Names that have another thing's word in them, and a word for what they are."""
