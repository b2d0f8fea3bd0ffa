"""Italian words around bookings, see `reasoning.drafting.booking_text`, `reasoning.drafting.booking_resolution` and
`reasoning.drafting.new_bookings`."""

OR = "oppure|o"
ON_THE = "del|dell'|quella dell?'?"
"""In front of a day of the month that tells which booking it is."""
MEETS = "con|e|incontrare|vedere"
"""In front of a person who is met."""
