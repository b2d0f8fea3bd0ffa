"""Records a response as an overlay's sample, without personal data."""
