"""Tests of releases that run beside each other."""
