"""What the offline planner answers: questions about bookings and the venue, words that it does not know."""
