"""Short replies: yes, no, wait, undo, and the words beside them."""
