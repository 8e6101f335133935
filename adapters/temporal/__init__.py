"""The embedded Temporal server; of workers the telemetry, slots that wait for idle time, and deletion of histories."""
