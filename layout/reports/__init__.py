"""Reports that the service itself writes, such as the certificate of completion."""
