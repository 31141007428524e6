"""Sources of telemetry."""
