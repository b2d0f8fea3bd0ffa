"""The data types in workflow histories and HTTP messages, and the signatures of activities."""
