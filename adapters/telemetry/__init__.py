"""What operators see of running processes: logs, figures, traces."""
