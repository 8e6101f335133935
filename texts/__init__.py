"""Rules for texts of others that all folders share. It imports no other folder."""
