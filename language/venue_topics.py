"""What a question or an entry of a venue's profile is about, in English and Italian: hours, refunds, animals, parking.

A question is answered by an entry only if that speaks of all that the question names: "may dogs wait in the car park?"
is none for what is said of parking. So a topic also stands here if no shipped venue says anything of it.

What can hurt who eats it is one topic each: what is said of gluten says nothing of lactose. They are the fourteen
allergens of Regulation (EU) 1169/2011, annex II, and what else guests do without; beside them whatever a dish is asked
to be without is a topic by its own word.
"""

import re

from language.lexer import fold

_WORDS = {
    "hours": r"open(?:s|ed|ing)?|clos(?:e|es|ed|ing)|shuts?|shutting|"
    r"(?<![\d] )(?<!two )(?<!three )(?<!four )(?<!six )(?<!eight )(?<!many )hours|knock off|till when|until when|"
    r"(?:from|till|until|up to) what time|(?:fino a|da) che ora|"
    r"apr(?:e|ite|ono|iamo)|(?<!all')apert[oaie]|apertur[ae]|chiud(?:e|ete|ono|iamo)|chius[oaie]|chiusur[ae]|orari[oi]?",
    "phone": r"phone number|telephone|phone|ring you|call you|contact you|reach you|get (?:in touch|hold of you)|"
    r"contattar\w*|vi (?:contatto|contattiamo|chiamo|telefono)|numero di telefono|telefono|telefonar\w*|chiamarvi|"
    r"numero (?:a cui|da|per|dove) (?:vi )?(?:chiam|telefon)\w+",
    "email": r"e-?mail|mail address|posta elettronica",
    "website": r"website|web ?site|web page|sito",
    "address": r"whereabouts|address|located|location|where (?:are|r) (?:you|u|yous|we)|(?:find|get to) (?:you|us)|"
    r"indirizzo|dove (?:siete|si trova|vi trovate|siamo)|come (?:si arriva|arrivo|ci si arriva)|"
    r"come vi (?:raggiung|trov)\w+|(?:in )?che (?:via|strada|piazza)",
    "parking": r"parking|parked|(?:i|we|you|they|to|he|she|people|guests) park|car ?parks?|car spaces|leave (?:the|my|"
    r"our|a|their) (?:car|van)|"
    r"garage|post[oi] (?:auto|macchina|per (?:l'auto|la macchina|le auto|le macchine))|"
    r"somewhere (?:for|to leave) (?:the|our|my|a) (?:car|van|bus|minibus|coach)|"
    r"parcheggi\w*|posteggi\w*|(?:lasci|mett)\w+ (?:la macchina|l'auto)",
    "refund": r"refund\w*|(?:money|cash|deposit)(?:'s| is)? back|gets? (?:it|that|everything) back|reimburs\w*|"
    r"non-?refundable|rimbors\w*|soldi indietro|restitu\w*|"
    r"penal[ei]|(?:see|los(?:e|ing)|keep|get) (?:my|our|his|her|their|the) (?:money|cash)|"
    r"(?:ridar|ridat|riaver|riavr|rest\w+ )\w* i (?:miei )?"
    r"(?:soldi|denaro)|ridate i soldi|(?:perdo|perdiamo) (?:i soldi|tutto)",
    "delivery": r"ship(?:s|ped|ping)?|deliver(?:y|ed|ies|s)?|posted|sent by|spedi\w+|consegn\w+|inviat[oaie]",
    "voucher": r"vouchers?|gift cards?|gift certificates?|buon[oi](?! pasto)(?: regalo)?",
    "expiry": r"expir\w+|run(?:s)? out|valid(?:ity)?|good for|scad\w+|valid[oaie]",
    "privacy": r"privacy|personal data|gdpr|names and phone|passed on|"
    r"(?:pass|hand|give|share|sell)\w* (?:out |on )?(?:my|our|his|her|their|your|the) (?:\w+ )?(?:numbers?|data|"
    r"details|e-?mails?|contacts?)|dati personali|health details",
    "weather": r"weather|rain(?:s|ing|y)?|storms?|thunderstorms?|hail|pours?|pouring|bucket(?:s|ing) down|snow(?:s|"
    r"ing)?|"
    r"piov\w+|pioggia|temporal[ei]|grandin\w+|maltempo|nevic\w+|neve",
    "age": r"how old|age|aged|years of age|youngest|too young|minimum age|toddlers?|bab(?:y|ies)|infants?|"
    r"year[- ]?olds?|(?:years?|yrs?) old|(?:under|over) (?:\d+|three|four|five|six|eight|ten|twelve|sixteen|"
    r"eighteen)s?\b(?! (?:minutes|hours|days|people|guests|euros?|dollars))|"
    r"ha (?:\d+|un|due|tre|quattro|cinque|sei|sette|otto|nove|"
    r"dieci) ann[oi]|sotto i \w+ anni|"
    r"eta|quanti anni|da che eta|neonat\w+|troppo piccol[oaie]",
    "clothes": r"socks?|shoes?|barefoot|wear|clothes|clothing|trousers|boots|helmets?|dress code|jackets?|tie|"
    r"calz(?:e|ini|ettoni)|scarpe|scalz[oaie]|vestirsi|vestit[oi]|si veste|indossar\w*|casc(?:o|hi)|giacca|"
    r"cravatta|abbigliamento",
    "weight": r"weigh\w*|heavy|kg|kilos?|pes(?:a|are|o)",
    "cake": r"cakes?|tort[ae]",
    "food": r"food|snacks?|eat(?:ing)?|drinks?|byo|cater\w*|cibo|mangiare|bere|bevande",
    "meals": r"lunch(?:es)?|dinners?|breakfast|brunch|pranz\w+|cen(?:a|e|are|iamo)|colazione|aperitiv[oi]",
    "dish": r"dish|pizzas?|pizze|burgers?|hamburger|sandwich(?:es)?|panin[oi]|sushi|desserts?|dolc[ei]|gelat[oi]|"
    r"menus?|degustazione",
    "alcohol": r"alcohol|beers?|wine|booze|licen[cs]ed|birr[ae]|vino|alcolic\w+",
    "outdoor": r"outside|outdoors?|open air|al fresco|terraces?|patio|courtyard|garden|all'aperto|fuori(?! (?:menu|"
    r"citta|orario|servizio))|dehors?|terrazz[ae]|terrazzin[oia]|giardin[oi]|cortile|estern[oaie]",
    "highchair": r"high ?chairs?|booster seats?|seggiolon[ei]|seggiolin[oi]",
    "childrens": r"(?:kids?|kid's|kids'|children'?s|child's) (?:menu|meals?|portions?|corner|area|play\w*)|"
    r"(?:menu|porzion[ei]|piatt[oi]|area|spazio|angolo) (?:per |dei |da )?(?:i )?(?:bambini|bimbi|piccoli)",
    "late": r"(?<!how )(?<!too )(?<!open )(?<!as )late(?! (?:night|evening|fees?|cancel\w*|open\w*))|ritard\w+",
    "large": r"(?:large|big|bigger|huge) (?:part(?:y|ies)|groups?|tables?)|comitiv[ae]|tavolat[ae]|"
    r"(?:grandi|grossi) (?:gruppi|tavoli)|grupp[oi] (?:numeros|grand)[oi]|in tant[ie]",
    "heating": r"heat(?:ed|ers?|ing)|air[- ]con\w*|riscaldat\w+|riscaldament[oi]|aria condizionata|climatizzat\w+",
    "charging": r"charging (?:points?|stations?)|chargers?|electric (?:cars?|vehicles?)|ev|ricaric\w+|"
    r"colonnin[ae]|auto elettric(?:a|he)",
    "arriving": r"how early|(?:be|come|get here|show up) early|arrive|be there|turn up|in anticipo|"
    r"quanto (?:tempo )?prima|presentarsi|(?:dobbiamo|devo|devono|bisogna) (?:arrivare|venire|essere li)",
    "waiver": r"waivers?|sign(?:ed|ature|s)?|consent|liberatori[ae]|firm(?:a|are|ano|e)|consenso",
    "price": r"costs?|price[sd]?|prices|how much|fees?|charged?|charges|surcharge|discounts?|free of charge|free|"
    r"tariffs?|"
    r"tickets?|entry|quanto cost\w+|cost[aio]|prezz[oi]|sconti?|gratis|gratuit[oaie]|bigliett[oi]|ingresso|supplemento",
    "paying": r"pay(?:ing|ment|s)?|cards?|cash(?! back)|amex|visa|afterpay|paypal|instalments?|eftpos|buoni pasto|"
    r"pagar(?:e|l[aoie]|si|vi)|pagamento|carte?|contanti|bancomat|rate",
    "deposit": r"deposits?(?! back)|caparr[ae]|acconto",
    "pets": r"dogs?|pets?|pupp(?:y|ies)|cats?|animals?|kelpie|labrador|guide dog|cane|cani|gatt[oi]|animal[ei]|"
    r"cagnolin[oi]",
    "smoking": r"smok\w+|vap(?:e|es|ing)|fum(?:are|atori|o)|sigarett[ae]|svap\w+",
    "wifi": r"wi-?fi|internet|password",
    "toilets": r"toilets?|loos?|bathrooms?|restrooms?|chang(?:e|ing) (?:room|table)s?|bagn[oi]|toilette|fasciatoio|"
    r"servizi",
    "access": r"wheelchairs?|accessib\w+|disab\w+|prams?|strollers?|lifts?|elevators?|ramps?|carrozzin[ae]|"
    r"sedia a rotelle|"
    r"passeggin[oi]|ascensore",
    "lockers": r"lockers?|cloak ?room|storage|leave (?:our|the|their|my) (?:bags?|things|stuff)|armadiett[oi]|"
    r"guardaroba|"
    r"deposito|zain[oi]|bors[ae]",
    "watching": r"spectat\w+|watch(?:ing)?|just sit|spettator[ei]|guardare|assistere|accompagnator[ei]",
    "photos": r"photos?|pictures?|film(?:ing)?|cameras?|record(?:ed|ing|ings)?|foto\w*|riprese|registra\w+",
    "firstaid": r"defib\w*|first aid|medic|epipen|primo soccorso|defibrillator[ei]",
    "decorations": r"decorat\w+|balloons?|pinatas?|candles?|confetti|music|band|dj|palloncin[oi]|candel[ae]|musica|"
    r"decorazion[ei]",
    "capacity": r"capacity|at most|maximum|max|how many (?:people|kids|guests|children) (?:fit|can|does|do)|fits?|"
    r"capienza|"
    r"al massimo|massimo|quanti ce ne stanno",
    "staff": r"jobs?|hiring|work for you|lavorare|assum\w+",
    "holidays": r"christmas|boxing day|easter|new year\S*|public holidays?|bank holidays?|anzac day|natale|pasqua|"
    r"ferragosto|"
    r"capodanno|festivi",
    "howlong": r"how long|how many (?:days|weeks|hours|minutes)|take(?:s)? (?:up to )?(?:\w+ ){1,3}(?:days|weeks|"
    r"hours?)|"
    r"working days?|business days?|within (?:\w+ ){1,2}(?:hours?|days?|weeks?)|last (?:one|two|\d+)|an hour|"
    r"half an hour|"
    r"quanto (?:tempo(?! prima)|dura|ci mette|ci vuole|durano)|giorni lavorativi|entro \w+ (?:giorni|ore)",
    "insurance": r"insur\w+|liab\w+|assicura\w+|responsabilita",
    "beginners": r"beginners?|never ridden|no experience|principiant[ei]|prima volta|esperienza",
    "membership": r"memberships?|loyalty|points|abbonament[oi]|tesser[ae]",
    "birthdays": r"party (?:bags?|hosts?|packages?|rooms?)|pacchett[oi]",
}
_DIET = {
    "gluten": r"gluten|celiacs?|coeliacs?|glutine|celiac\w*|celiach\w+|wheat|frumento|grano|barley|orzo|rye|segale",
    "dairy": r"lactose|dairy|milk|cheeses?|butter|cream|lattosio|latte|latticin[io]|formagg[io]+|burro|panna|caseina",
    "nuts": r"nuts?|almonds?|hazelnuts?|walnuts?|cashews?|pistachios?|pecans?|frutta secca|frutta a guscio|noc[ei]|"
    r"nocciol[ae]|mandorl[ae]|pistacch[io]+|anacard[io]+|pinoli",
    "peanuts": r"peanuts?|arachid[ei]|noccioline",
    "eggs": r"eggs?|uov[oa]",
    "fish": r"fish|tuna|salmon|anchov(?:y|ies)|cod|pesce|tonno|acciugh[ae]|alic[ei]|baccala|salmone",
    "shellfish": r"shellfish|seafood|crustaceans?|prawns?|shrimps?|lobsters?|crabs?|crostace[io]|gamber\w+|scamp[io]|"
    r"frutti di mare|aragost[ae]|granchi\w*",
    "molluscs": r"mollus[ck]s?|clams?|mussels?|oysters?|squid|octopus|mollusch[io]|vongol[ae]|cozze|ostrich[ae]|"
    r"calamar[io]|polp[oi]|seppi[ae]",
    "soy": r"soya?|tofu|soia",
    "celery": r"celery|celeriac|sedano",
    "mustard": r"mustard|senape",
    "sesame": r"sesame|tahini|sesamo",
    "sulphites": r"sul(?:ph|f)ites?|solfiti",
    "lupin": r"lupins?|lupini",
    "vegan": r"vegans?|vegan[oaie]|plant[- ]based|vegetale",
    "vegetarian": r"vegetarians?|veggies?|meatless|vegetarian[oaie]|senza carne",
    "faith": r"halal|kosher|haram|pork|maiale",
    "sugar": r"sugar|diabet\w+|sweeteners?|zuccher[oi]|dolcificant[ei]",
    "onion": r"onions?|garlic|cipoll[ae]|aglio|fodmap",
    "pregnancy": r"pregnan\w+|incinta|gravidanza|raw|crud[oaie]",
    "traces": r"cross[- ]?contam\w*|contamin\w+|traces?|tracce|(?:same|separate|dedicated) (?:oven|fryer|kitchen|pans?|"
    r"oil)|(?:stess[oa]|a parte|separat[oa]) (?:forno|cucina|friggitrice|olio)|(?:forno|cucina|friggitrice|olio|"
    r"ambient[ei]) (?:separat[oaie]|a parte|dedicat[oaie])",
    "allergy": r"allerg\w+|intoleran\w+|intolleran\w+|diet(?:s|ary)?",
}
_WORDS |= _DIET
_FREE_OF = re.compile(
    r"\b(?:senza|privi? di|priv[ae] di|without|free (?:of|from)|"
    r"(?:allergic[oaihe]*|intolleran\w+|intoleran\w+) (?:to|al?|"
    r"all[ao'e]|ai|agli)|(?:contain(?:s|ing)?|conteng\w+|contien\w+)) ?(?:(?:any|the|an?|il|lo|la|le|gli|i|un|una|"
    r"del(?:l[aoe'])?|dei|degli|l') ?)*([^\W\d_]{3,})|\b([^\W\d_]{3,})[- ]free\b(?! (?:on|at|for|in|entry|parking))"
)
"""What somebody asks for without, or cannot have."""
_DOING = re.compile(r"\w+(?:ing|are|ere|ire)|(?:is|are|be|it|for|get|got|any|john|parking)")
_EATEN = frozenset(("food", "dish", "meals"))
_OTHERWISE = (
    (re.compile(r"\b(?:hot|corn|chili) ?dogs?\b|\b(?:cani? cald[oi])\b|\bgatto (?:di|alle|ai) patate\b"), "dish"),
    (re.compile(r"\b(?:cat ?fish|dog ?fish|pesc[ei] gatt[oi])\b"), "fish"),
    (re.compile(r"\blingu[ae] di gatto\b"), "dish"),
    (re.compile(r"\b(?:nutmeg|coconuts?|doughnuts?|donuts?)\b"), "dish"),
)
"""Names that have another thing's word in them, and what they are instead."""
_TOPICS = {topic: re.compile(rf"\b(?:{words})\b") for topic, words in _WORDS.items()}
_NOT_A_PRICE = re.compile(rf"\b({'|'.join(_DIET.values())})[- ]free\b")
_WAYS = frozenset(("hours", "howlong", "price"))
"""What a question asks of a thing. That an entry speaks of it in passing does not make it the entry on that."""


def topics_in(text: str) -> frozenset[str]:
    """What a text names."""
    said = fold(text).replace("’", "'")
    for name, topic in _OTHERWISE:
        said = name.sub(topic, said)
    found = {topic for topic, words in _TOPICS.items() if words.search(_NOT_A_PRICE.sub(r"\1", said))}
    found |= {topic for match in _FREE_OF.finditer(said) if (topic := _left_out(match[1] or match[2]))}
    # What a dish is without is asked of no other food: "she is a coeliac, can she eat with you?"
    eaten = _EATEN if found & _DIET.keys() else frozenset(("meals",)) if "outdoor" in found else frozenset()
    return frozenset(found - eaten)


def _left_out(word: str) -> str:
    """The topic of what is to be left out, by its stem, where no other topic has its word."""
    known = any(words.search(word) for words in _TOPICS.values())
    return "" if known or _DOING.fullmatch(word) else f"without {word[:5].rstrip('aeious')}"


def things_in(text: str) -> frozenset[str]:
    """What a text names beside the ways in which one asks of anything: how long, how much, when open."""
    return topics_in(text) - _WAYS
