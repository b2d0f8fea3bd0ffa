"""Italian words around a person's new name, see `offline_planner.orders.new_names`."""

PARTICLES = "de|di|della|del|da|la|le"
"""Small words inside a family name."""
TOPICS = (
    ("last", r"\bcognome"),
    ("first", r"\bnome di battesimo"),
    ("whole", r"\b(?:nome|nominativo|intestatari[oa]|referente|contatto)"),
    ("whole", r"\brinomin\w+"),
)
"""What a name is called, by the part of a person's name."""
GIVES = r"(?:in|a|è ora|ora è|adesso è|è|e'|diventa|:|=|deve essere|dev['’]essere|si scrive|sarà|con|come)"
SURELY = r"(?:in|a|:|=|deve essere|dev['’]essere|si scrive)"
"""What hands over a name even where it has no capital."""
IN_NAME = r"\b(?:metti\w*|intesta\w*|cambia\w*|passa\w*|dev['’]essere|deve essere|va)\b[^.;]*?\ba nome(?: di)?"
NOT = "non"
NOW = "ora"
