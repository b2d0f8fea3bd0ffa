"""The commands of `iq`, one module each."""
