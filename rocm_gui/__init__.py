"""Desktop assistant for AMD GPUs: setup, telemetry, topology, benchmarks, training and profiling."""

__version__ = "0.1.0"
