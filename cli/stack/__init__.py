"""What `make run` starts: Temporal, simulations, API and worker."""
