"""Invented people for the seed. No name of a starring guest occurs here a second time.

E-mail domains and phone numbers are reserved for fiction.
"""


def _parts(text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.split("|"))


FIRST_NAMES = _parts("""
    Aisha|Alistair|Amelia|Arjun|Beatrice|Callum|Carmen|Charlotte|Damian|Daniela|Eleanor|Ewan|Fatima|Felix|Freya|
    Gabriel|Harriet|Imogen|Isaac|Jasmine|Kieran|Leila|Matteo|Nadia|Patrick|Priscilla|Quentin|Rebecca|Rohan|Tamara|
    Theodore|Ursula|Victor|Xavier|Yasmin
""")
LAST_NAMES = _parts("""
    Abbott|Ashworth|Bannister|Blackwood|Callaghan|Castellano|Dunmore|Eastwood|Fairweather|Gallagher|Hargreaves|Iyer|
    Jankowski|Kowalczyk|Lindqvist|MacGregor|Nakamura|Okafor|Pemberton|Quigley|Rasmussen|Sutherland|Takahashi|Underhill|
    Vandenberg|Whitlock|Yilmaz|Zielinski|Montague|Delacroix
""")
OCCASIONS = _parts("""
    {first}'s birthday party|{last} family|{first} {last}|{first} {last}|{last} birthday|Year 4 class treat|
    Football team night|Scouts outing
""")
COMMENTS = ("",) * 4 + _parts("""
    Arriving by minibus|One guest uses a wheelchair|Bringing their own cake|Nut allergy in the group|
    Would like a quiet corner
""")
