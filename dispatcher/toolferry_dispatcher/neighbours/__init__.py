"""Agents of other frameworks: their tools run on workers. One module a framework, none needed.

Nothing here imports a framework but the module of its name; each comes with an extra of that name.
"""
