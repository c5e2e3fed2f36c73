"""The audit: what happened to calls, recorded so that nobody can change it unnoticed.

A script that changes calls tells so in a stream, in the same step. A *sealer* brings the stream
into files: lines chained by SHA-256, each batch closed by a signed *seal*, which the server keeps
too.
"""
