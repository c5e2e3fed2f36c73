"""Judging values by schemas."""
