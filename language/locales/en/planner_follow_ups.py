"""English words by which a message goes on with the messages before it, see `offline_planner.orders.follow_ups` and
`offline_planner.orders.amendments`."""

PEOPLE = "people|guests|covers"
HOUR = "o'clock|the time|hour"
"""What a bare number was, in answer to that question."""
THEN = "and|but"
"""Behind a choice, in front of what is to be done with it."""
MORE = "and|n|also|plus"
"""Opens something further."""
NOT = "not"
"""In front of the old figures of a number."""
