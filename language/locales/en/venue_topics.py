"""English words of what a question or an entry of a venue's profile is about, see `language.venue_facts.topics`."""

TOPICS = {
    "hours": r"open(?:s|ed|ing)?|clos(?:e|es|ed|ing)|shuts?|shutting|"
    r"(?<![\d] )(?<!two )(?<!three )(?<!four )(?<!six )(?<!eight )(?<!many )hours|knock off|till when|until when|"
    r"(?:from|till|until|up to) what time",
    "phone": r"phone number|telephone|phone|ring you|call you|contact you|reach you|get (?:in touch|hold of you)",
    "email": r"e-?mail|mail address",
    "website": r"website|web ?site|web page",
    "address": r"whereabouts|address|located|location|where (?:are|r) (?:you|u|yous|we)|(?:find|get to) (?:you|us)",
    "parking": r"parking|parked|(?:i|we|you|they|to|he|she|people|guests) park|car ?parks?|car spaces|"
    r"leave (?:the|my|our|a|their) (?:car|van)|garage|"
    r"somewhere (?:for|to leave) (?:the|our|my|a) (?:car|van|bus|minibus|coach)",
    "refund": r"refund\w*|(?:money|cash|deposit)(?:'s| is)? back|gets? (?:it|that|everything) back|reimburs\w*|"
    r"non-?refundable|(?:see|los(?:e|ing)|keep|get) (?:my|our|his|her|their|the) (?:money|cash)",
    "delivery": r"ship(?:s|ped|ping)?|deliver(?:y|ed|ies|s)?|posted|sent by",
    "voucher": r"vouchers?|gift cards?|gift certificates?",
    "expiry": r"expir\w+|run(?:s)? out|valid(?:ity)?|good for",
    "privacy": r"privacy|personal data|gdpr|names and phone|passed on|"
    r"(?:pass|hand|give|share|sell)\w* (?:out |on )?(?:my|our|his|her|their|your|the) (?:\w+ )?"
    r"(?:numbers?|data|details|e-?mails?|contacts?)|health details",
    "weather": r"weather|rain(?:s|ing|y)?|storms?|thunderstorms?|hail|pours?|pouring|bucket(?:s|ing) down|"
    r"snow(?:s|ing)?",
    "age": r"how old|age|aged|years of age|youngest|too young|minimum age|toddlers?|bab(?:y|ies)|infants?|"
    r"year[- ]?olds?|(?:years?|yrs?) old|"
    r"(?:under|over) (?:\d+|three|four|five|six|eight|ten|twelve|sixteen|eighteen)s?\b"
    r"(?! (?:minutes|hours|days|people|guests|euros?|dollars))",
    "clothes": r"socks?|shoes?|barefoot|wear|clothes|clothing|trousers|boots|helmets?|dress code|jackets?|tie",
    "weight": r"weigh\w*|heavy|kg|kilos?",
    "cake": r"cakes?",
    "food": r"food|snacks?|eat(?:ing)?|drinks?|byo|cater\w*",
    "meals": r"lunch(?:es)?|dinners?|breakfast|brunch",
    "dish": r"dish|pizzas?|burgers?|hamburger|sandwich(?:es)?|sushi|desserts?|menus?",
    "alcohol": r"alcohol|beers?|wine|booze|licen[cs]ed",
    "outdoor": r"outside|outdoors?|open air|al fresco|terraces?|patio|courtyard|garden",
    "highchair": r"high ?chairs?|booster seats?",
    "childrens": r"(?:kids?|kid's|kids'|children'?s|child's) (?:menu|meals?|portions?|corner|area|play\w*)",
    "late": r"(?<!how )(?<!too )(?<!open )(?<!as )late(?! (?:night|evening|fees?|cancel\w*|open\w*))",
    "large": r"(?:large|big|bigger|huge) (?:part(?:y|ies)|groups?|tables?)",
    "heating": r"heat(?:ed|ers?|ing)|air[- ]con\w*",
    "charging": r"charging (?:points?|stations?)|chargers?|electric (?:cars?|vehicles?)|ev",
    "arriving": r"how early|(?:be|come|get here|show up) early|arrive|be there|turn up",
    "waiver": r"waivers?|sign(?:ed|ature|s)?|consent",
    "price": r"costs?|price[sd]?|prices|how much|fees?|charged?|charges|surcharge|discounts?|free of charge|free|"
    r"tariffs?|tickets?|entry",
    "paying": r"pay(?:ing|ment|s)?|cards?|cash(?! back)|amex|visa|afterpay|paypal|instalments?|eftpos",
    "deposit": r"deposits?(?! back)",
    "pets": r"dogs?|pets?|pupp(?:y|ies)|cats?|animals?|kelpie|labrador|guide dog",
    "smoking": r"smok\w+|vap(?:e|es|ing)",
    "wifi": r"wi-?fi|internet|password",
    "toilets": r"toilets?|loos?|bathrooms?|restrooms?|chang(?:e|ing) (?:room|table)s?",
    "access": r"wheelchairs?|accessib\w+|disab\w+|prams?|strollers?|lifts?|elevators?|ramps?",
    "lockers": r"lockers?|cloak ?room|storage|leave (?:our|the|their|my) (?:bags?|things|stuff)",
    "watching": r"spectat\w+|watch(?:ing)?|just sit",
    "photos": r"photos?|pictures?|film(?:ing)?|cameras?|record(?:ed|ing|ings)?",
    "firstaid": r"defib\w*|first aid|medic|epipen",
    "decorations": r"decorat\w+|balloons?|pinatas?|candles?|confetti|music|band|dj",
    "capacity": r"capacity|at most|maximum|max|how many (?:people|kids|guests|children) (?:fit|can|does|do)|fits?",
    "staff": r"jobs?|hiring|work for you",
    "holidays": r"christmas|boxing day|easter|new year\S*|public holidays?|bank holidays?|anzac day",
    "howlong": r"how long|how many (?:days|weeks|hours|minutes)|"
    r"take(?:s)? (?:up to )?(?:\w+ ){1,3}(?:days|weeks|hours?)|working days?|business days?|"
    r"within (?:\w+ ){1,2}(?:hours?|days?|weeks?)|last (?:one|two|\d+)|an hour|half an hour",
    "insurance": r"insur\w+|liab\w+",
    "beginners": r"beginners?|never ridden|no experience",
    "membership": r"memberships?|loyalty|points",
    "birthdays": r"party (?:bags?|hosts?|packages?|rooms?)",
}
DIET = {
    "gluten": r"gluten|celiacs?|coeliacs?|wheat|barley|rye",
    "dairy": r"lactose|dairy|milk|cheeses?|butter|cream",
    "nuts": r"nuts?|almonds?|hazelnuts?|walnuts?|cashews?|pistachios?|pecans?",
    "peanuts": r"peanuts?",
    "eggs": r"eggs?",
    "fish": r"fish|tuna|salmon|anchov(?:y|ies)|cod",
    "shellfish": r"shellfish|seafood|crustaceans?|prawns?|shrimps?|lobsters?|crabs?",
    "molluscs": r"mollus[ck]s?|clams?|mussels?|oysters?|squid|octopus",
    "soy": r"soya?|tofu",
    "celery": r"celery|celeriac",
    "mustard": r"mustard",
    "sesame": r"sesame|tahini",
    "sulphites": r"sul(?:ph|f)ites?",
    "lupin": r"lupins?",
    "vegan": r"vegans?|plant[- ]based",
    "vegetarian": r"vegetarians?|veggies?|meatless",
    "faith": r"halal|kosher|haram|pork",
    "sugar": r"sugar|diabet\w+|sweeteners?",
    "onion": r"onions?|garlic|fodmap",
    "pregnancy": r"pregnan\w+|raw",
    "traces": r"cross[- ]?contam\w*|contamin\w+|traces?|(?:same|separate|dedicated) (?:oven|fryer|kitchen|pans?|oil)",
    "allergy": r"allerg\w+|intoleran\w+|diet(?:s|ary)?",
}

WITHOUT = r"without|free (?:of|from)|contain(?:s|ing)?"
CANNOT_HAVE = r"allergic|intoleran\w+"
CANNOT_HAVE_TO = "to"
"""Words for what a guest wants to avoid, or cannot have."""
ARTICLE = r"any|the|an?"
FREE = "free"
"""Behind what a dish is without: "gluten-free"."""
BEHIND_FREE = "on|at|for|in|entry|parking"
"""Behind a "free" of an hour, a place or a price."""
NO_THING = r"\w+ing|is|are|be|it|for|get|got|any|john|parking"
"""Words that are not eaten: "without paying", "is free"."""
OTHERWISE = (
    (r"(?:hot|corn|chili) ?dogs?", "dish"),
    (r"(?:cat|dog) ?fish", "fish"),
    (r"nutmeg|coconuts?|doughnuts?|donuts?", "dish"),
)
"""Names that have another thing's word in them, and a word for what they are."""
