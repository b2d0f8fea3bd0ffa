"""The API: routes and their errors. It decides nothing."""
