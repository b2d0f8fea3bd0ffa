"""Tool calls to the steps of a plan."""
