"""The planner's answers: questions about bookings and the venue, and unknown words."""
