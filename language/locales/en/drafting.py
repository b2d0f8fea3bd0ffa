"""English words around bookings, see `reasoning.drafting.booking_text`, `reasoning.drafting.booking_resolution` and
`reasoning.drafting.new_bookings`."""

OR = "or"
ON_THE = "of the|on the|the one on"
"""In front of a day of the month that tells which booking it is."""
ORDINAL = "st|nd|rd|th"
MEETS = "with|meet|see|and"
"""In front of a person who is met."""
