"""Telemetry of running processes: logs, metrics, traces."""
