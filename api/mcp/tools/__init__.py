"""The tools. Each takes the request of an operation of the API, and returns its response."""
