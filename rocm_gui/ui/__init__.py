"""The window: the only package that may import Qt."""
