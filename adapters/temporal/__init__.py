"""The embedded Temporal server, the telemetry and slot suppliers of workers, and the deletion of histories."""
