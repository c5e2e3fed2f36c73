"""The demo: eight tool calls of one recorded response, on real workers and a real server."""
