"""The content of a new ROLLER sandbox: its venue, catalogue and bookings."""
