"""Chaos: a whole system under load, its processes killed at random, and the proof that it held."""
