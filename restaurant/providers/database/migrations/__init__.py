"""How the sheet's table came to be, step by step. `restaurant.providers.database.migrate` runs what is missing."""
