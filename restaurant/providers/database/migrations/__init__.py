"""The migrations of the sheet's table, step by step. `restaurant.providers.database.schema` runs the missing ones."""
