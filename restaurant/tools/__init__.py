"""The nine tools, a file each or a pair that belongs together. `calling.py` is the one way to call them."""
