"""Reports, such as the certificate of completion, laid out by the same engine."""
