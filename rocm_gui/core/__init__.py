"""Values and pure functions: no files, no processes, no clock."""
