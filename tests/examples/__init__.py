"""The examples, tested."""
