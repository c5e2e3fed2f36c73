"""Programs that show Toolferry at work."""
