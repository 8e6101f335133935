"""The app under `/app`, where signed-in users manage sessions and templates."""
