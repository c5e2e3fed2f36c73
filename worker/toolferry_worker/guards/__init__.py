"""What a handler reaches for in place of `open` and an HTTP client, when a model gives the place.

A rule judges an argument before it is used; what it judged can change until then. These judge at
the very moment of use. They load no Celery, so that a module of tools may import them anywhere.
"""

from __future__ import annotations

from toolferry_worker.guards.inside import open_inside
from toolferry_worker.guards.public_http import PublicHTTP, Response

__all__ = ["PublicHTTP", "Response", "open_inside"]
