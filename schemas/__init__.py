"""What the v1 API takes and gives: camelCase members, RFC 3339 times, requests strict to the member."""
