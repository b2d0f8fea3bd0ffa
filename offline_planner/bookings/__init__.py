"""Which booking is meant, and the bookings to create."""
