"""The nine tools, one file for each or for a related pair. `dispatch.py` is the only way to call them."""
