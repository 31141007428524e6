"""Threads and processes: jobs, the doctor, the installer, the verifier."""
