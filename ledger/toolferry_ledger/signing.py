"""Signatures: a worker runs only what a dispatcher with the same secret has written."""

from __future__ import annotations

import hashlib
import hmac

from toolferry import ToolferryError


class Untrusted(ToolferryError):
    """A record is unsigned, was changed, belongs to another call or has expired."""


class Signer:
    """Signs the exact bytes of a record with HMAC-SHA-256.

    Args:
        secret: The key that all dispatchers and workers of a system share, 16 bytes or more.
    """

    def __init__(self, secret: bytes) -> None:
        self._keyed = hmac.new(secret, digestmod=hashlib.sha256)

    def sign(self, text: bytes) -> str:
        """Give the signature as 64 hex digits."""
        keyed = self._keyed.copy()
        keyed.update(text)
        return keyed.hexdigest()

    def verify(self, text: bytes, signature: str) -> bool:
        """Tell whether the signature is the text's own, in constant time."""
        return hmac.compare_digest(self.sign(text), signature)
