"""The search for bookings, and the creation of new ones."""
