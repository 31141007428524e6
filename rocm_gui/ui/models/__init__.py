"""Qt models over values of the core."""
