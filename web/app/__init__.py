"""The app under `/app`, where signed-in members manage sessions and templates."""
