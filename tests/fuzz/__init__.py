"""Fuzzing: no input to any parser may raise anything but the project's own errors."""
