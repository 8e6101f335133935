"""Callbacks (webhooks): their content, their schedule, and the addresses that they may go to."""
