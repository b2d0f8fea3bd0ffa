"""Look-up and quotation of the venue's profile."""
