"""Every effect of a workflow, one class a kind."""
