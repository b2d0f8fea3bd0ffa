"""The facade: routes and their errors; decides nothing."""
