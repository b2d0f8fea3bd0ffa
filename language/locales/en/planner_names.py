"""English words around a person's new name, see `offline_planner.orders.new_names`."""

PARTICLES = "van|von|de|da|der|den|la|le|el|al|bin|dos|du"
"""Small words inside a family name."""
TOPICS = (
    ("last", r"\b(?:surname|last name|family name|second name)"),
    ("first", r"\b(?:first name|given name|forename)"),
    (
        "whole",
        r"\b(?:(?:full|contact|guest|lead|party|booking)?\s?name|contact(?! details)(?: person)?|"
        r"booker|organi[sz]er)",
    ),
    ("whole", r"\bre-?name\b"),
)
"""What a name is called, by the part of a person's name."""
GIVES = (
    r"(?:to|is now|is now spel(?:t|led)|is spel(?:t|led)|spel(?:t|led)(?: as)?|is|['’]s|as|into|=|:|now|becomes|"
    r"should (?:now )?be(?: spel(?:t|led))?|shd be|should read|needs to be|must be|will be|it['’]s|its)"
)
SURELY = r"(?:to|as|into|should be(?: spel(?:t|led))?|shd be|=|:)"
"""What hands over a name even where it has no capital."""
IN_NAME = (
    r"\b(?:put|change|move|switch|transfer|should be|should go|goes|needs to be|must be|"
    r"now)\b[^.;]*?\b(?:in|into|under) the name(?: of)?"
)
NOT = "not"
NOW = "now"
NO_NAMES = frozenset(("it", "on", "the"))
"""Words that are no name though they have a capital."""
