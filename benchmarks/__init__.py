"""Benchmarks: ratios against other ways of doing the same, measured in one run."""
