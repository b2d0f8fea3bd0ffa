"""Italian words that may be a person's name, and those around numbers, see `language.redaction.vocabulary` and
`language.redaction.asked_for`."""

ALSO_NAMES = frozenset(
    """
    alba angelo aria bea bravo costa della dina fabio fiore flora fortunato francesca gentile gloria greco iris
    irma leo leone letizia linda lucia luna magnolia mara marco mare margherita maria marina mario mia mina mo
    monaco mora nero nona nova nunzia pastore perla pia pianta primo regina rocco romeo rosa rossi rosso
    salvatore santa santo serena sol sole stella terra tina toni una vale vera verde verdi viola vita vittoria
    zita
    """.split()
)
"""First and last names that are words, too."""
NUMBER = r"numer[oi]"
NUMBER_OF = r"di"
