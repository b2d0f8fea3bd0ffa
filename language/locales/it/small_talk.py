"""Italian words of small talk, see `language.replies.small_talk`."""

GREETINGS = "ciao salve buongiorno buonasera giorno sera pomeriggio".split()
"""A greeting has one of these, and beside them only words of HELLO."""
HELLO = (
    "ciao salve buongiorno buonasera buon giorno pomeriggio buona sera giornata come va tutto bene c qualcuno".split()
)
THANKING = "grazie arrivederci".split()
"""Thanks have one of these, and beside them only words of THANKS."""
THANKS = (
    "grazie mille tante molte gentile gentilissimo gentilissima perfetto ottimo arrivederci buona giornata a presto "
    "di tutto va bene ok".split()
)
HELP = (
    r"aiuto|aiutami|mi aiuti|mi serve aiuto|"
    r"(?:aiuto )?(?:che )?cosa (?:posso (?:chiederti|chiederle|chiedere|fare)|(?:puoi|puo|sai|sa) fare)(?: per me)?|"
    r"come funzioni?|chi sei|a cosa servi"
)
HELP_LEADS = "ciao|ok"
PRAISE = r"\b(?:sei|siete) (?:un |una |molto |troppo |proprio |davvero |dei |degli )\w+"
"""Compliments to the assistant: "sei un angelo"."""
