"""The workflows: the life of a session as one durable program. `client` is the one way in for everybody else."""
