"""Reads settings from the environment, checks their values, and checks what production requires."""
