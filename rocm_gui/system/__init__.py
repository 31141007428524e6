"""The host: what it is, what runs on it, how to change it. No user-facing sentences."""
