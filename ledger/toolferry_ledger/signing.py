"""Signatures: a worker runs only what a dispatcher with the same secret has written."""

from __future__ import annotations

import hmac
from typing import Final

from toolferry_ledger.untrusted import Untrusted
from toolferry_ledger.vault import Vault

__all__ = ["Signer", "Untrusted", "keys_of"]

#: What stands between several secrets.
_BETWEEN: Final = b","


def keys_of(secret: bytes) -> tuple[bytes, ...]:
    """Give the secrets that a setting holds: one, or several with commas between them.

    >>> keys_of(b"the new one, the old one")
    (b'the new one', b'the old one')
    """
    return tuple(key.strip() for key in secret.split(_BETWEEN)) if _BETWEEN in secret else (secret,)


class Signer:
    """Signs the exact bytes of a record with HMAC-SHA-256.

    Args:
        secret: The key that all dispatchers and workers of a system share, 16 bytes or more; or
            several with commas between them, of which the first signs and any verifies.
    """

    def __init__(self, secret: bytes) -> None:
        keys = keys_of(secret)
        self._keys = keys
        #: Holds what is secret in records, with the same keys.
        self.vault = Vault(keys)

    def sign(self, text: bytes) -> str:
        """Give the signature as 64 hex digits."""
        return _signature(self._keys[0], text)

    def signatures(self, text: bytes) -> tuple[str, ...]:
        """Give the signature by each key, that of the first one first."""
        return tuple(_signature(key, text) for key in self._keys)

    def verify(self, text: bytes, signature: str) -> bool:
        """Tell whether the signature is the text's own, in constant time for each key."""
        if not signature.isascii():  # such texts cannot be compared, and no signature is one
            return False
        return any(hmac.compare_digest(_signature(key, text), signature) for key in self._keys)


def _signature(key: bytes, text: bytes) -> str:
    return hmac.digest(key, text, "sha256").hex()
