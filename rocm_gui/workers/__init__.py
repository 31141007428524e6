"""Programs run by the Python of the environment under test; standard library and siblings only at import."""
