"""Italian words that refer to a day or an hour mentioned before, see `language.requests.cues`."""

BACK = (
    r"\bquel(?:l['’ ]ora| giorno| posto| orario| buco| momento|la data|lo slot|lo spazio)\b|\b(?:lì|là)(?!\w)|"
    r"\b(?:ci|la|lo) (?:mett|spost|port)\w+|\b(?:mett|spost|port|far)\w*(?:ci|cela|celo)\b|\ballora\W*$"
)
