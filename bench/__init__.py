"""What things cost, beside a peer in the same run."""
