"""The embedded Temporal server, the telemetry of workers, and the deletion of histories."""
