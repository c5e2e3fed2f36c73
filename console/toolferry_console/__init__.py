"""Toolferry for people: the command line."""
