"""The linter: what a model would stumble over in a tool's definition. Pure: no I/O."""
