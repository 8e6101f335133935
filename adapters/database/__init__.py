"""The database: a projection of the sessions, and organisations with their clients. See `port` for the promises."""
