"""The `iq` command: combines clients, workers and the development stack."""
