"""What a question or an entry of a venue's profile is about, in English and Italian: hours, refunds, animals, parking.

A question is answered by an entry only if that speaks of all that the question names: "may dogs wait in the car park?"
is none for what is said of parking. So a topic also stands here if no shipped venue says anything of it.
"""

import re

from language.lexer import fold

_WORDS = {
    "hours": r"open(?:s|ed|ing)?|clos(?:e|es|ed|ing)|shuts?|shutting|"
    r"(?<![\d] )(?<!two )(?<!three )(?<!four )(?<!six )(?<!eight )(?<!many )hours|knock off|till when|until when|"
    r"(?:from|till|until|up to) what time|(?:fino a|da) che ora|"
    r"apr(?:e|ite|ono|iamo)|apert[oaie]|apertur[ae]|chiud(?:e|ete|ono|iamo)|chius[oaie]|chiusur[ae]|orari[oi]?",
    "phone": r"phone number|telephone|phone|ring you|call you|contact you|reach you|get (?:in touch|hold of you)|"
    r"contattar\w*|vi (?:contatto|contattiamo|chiamo|telefono)|numero di telefono|telefono|telefonar\w*|chiamarvi",
    "email": r"e-?mail|mail address|posta elettronica",
    "website": r"website|web ?site|web page|sito",
    "address": r"whereabouts|address|located|location|where (?:are|r) (?:you|u|yous|we)|(?:find|get to) (?:you|us)|"
    r"indirizzo|dove (?:siete|si trova|vi trovate|siamo)|come (?:si arriva|arrivo|ci si arriva)",
    "parking": r"parking|parked|(?:i|we|you|they|to|he|she|people|guests) park|car ?parks?|car spaces|leave (?:the|my|"
    r"our|a|their) (?:car|van)|"
    r"somewhere (?:for|to leave) (?:the|our|my|a) (?:car|van|bus|minibus|coach)|"
    r"parcheggi\w*|posteggi\w*|lasciare (?:la macchina|l'auto)",
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
    "clothes": r"socks?|shoes?|barefoot|wear|clothes|clothing|trousers|boots|helmets?|dress code|"
    r"calz(?:e|ini|ettoni)|scarpe|scalz[oaie]|vestirsi|vestit[oi]|si veste|indossar\w*|casc(?:o|hi)",
    "weight": r"weigh\w*|heavy|kg|kilos?|pes(?:a|are|o)",
    "cake": r"cakes?|tort[ae]",
    "food": r"food|snacks?|eat(?:ing)?|drinks?|lunch|dinner|byo|cater\w*|pizza|menu|"
    r"cibo|mangiare|bere|bevande|pranzo|cena",
    "diet": r"vegans?|vegetarians?|gluten|halal|kosher|celiacs?|coeliacs?|lactose|dairy|nuts?|peanuts?|allerg\w+|"
    r"diet(?:s|ary)?|vegan[oaie]|vegetarian[oaie]|glutine|celiac[oih]+|lattosio|arachidi|frutta secca|intolleran\w+",
    "alcohol": r"alcohol|beers?|wine|booze|licen[cs]ed|birr[ae]|vino|alcolic\w+",
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
_TOPICS = {topic: re.compile(rf"\b(?:{words})\b") for topic, words in _WORDS.items()}
_WAYS = frozenset(("hours", "howlong", "price"))
"""What a question asks of a thing. That an entry speaks of it in passing does not make it the entry on that."""


def topics_in(text: str) -> frozenset[str]:
    """What a text names."""
    said = fold(text)
    return frozenset(topic for topic, words in _TOPICS.items() if words.search(said))


def things_in(text: str) -> frozenset[str]:
    """What a text names beside the ways in which one asks of anything: how long, how much, when open."""
    return topics_in(text) - _WAYS
