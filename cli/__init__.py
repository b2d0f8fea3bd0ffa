"""The `iq` command: puts clients, workers and the development stack together."""
