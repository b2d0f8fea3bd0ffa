"""Italian words by which a message goes on with the messages before it, see `offline_planner.orders.follow_ups` and
`offline_planner.orders.amendments`."""

PEOPLE = "persone|ospiti|coperti"
HOUR = "ore|ora|orario"
"""What a bare number was, in answer to that question."""
THEN = "e|ma"
"""Behind a choice, in front of what is to be done with it."""
MORE = "e|anche|poi"
"""Opens something further."""
NOT = "non"
"""In front of the old figures of a number."""
