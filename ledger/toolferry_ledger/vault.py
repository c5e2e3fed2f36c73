"""The vault: what is secret lies encrypted in the ledger, and each secret in its own place only.

1. Every place, such as one call's record, has a key of its own, derived (HKDF-SHA-256) from the
   system's secret and the place's name. So no key sees many texts, however long a system runs.
2. AES-256-GCM with a random nonce, and the name of the place authenticated with it: what was copied
   to another place cannot be opened there.
3. Of several secrets the first encrypts and any decrypts, as with signatures.
"""

from __future__ import annotations

import os
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Sequence
from typing import Any, Final

from toolferry import ConfigurationError
from toolferry_ledger.json_text import read_json, write_json
from toolferry_ledger.untrusted import Untrusted
from toolferry_policies import is_kept

#: How sealed texts begin: says how they are encrypted.
_VERSION: Final = "v1."
#: How they begin in a process that has given up secrecy: they are none.
_PLAIN: Final = "plain."
_NONCE: Final = 12
_SALT: Final = b"toolferry sealed v1"


class Vault:
    """Seals JSON data and opens it again.

    Args:
        secrets: The system's secrets; the first one encrypts.
    """

    def __init__(self, secrets: Sequence[bytes]) -> None:
        self._secrets = tuple(secrets)

    def seal(self, place: str, data: Any) -> str:
        """Encrypt JSON data for one place.

        Args:
            place: Where it will lie; the same name opens it.
            data: JSON data.

        Raises:
            ConfigurationError: The package `cryptography` is not installed.
        """
        text = write_json(data)
        if not is_kept():
            return _PLAIN + text.decode()
        nonce = os.urandom(_NONCE)
        sealed = _cipher(self._secrets[0], place).encrypt(nonce, text, place.encode())
        return _VERSION + urlsafe_b64encode(nonce + sealed).decode()

    def open(self, place: str, sealed: str) -> Any:
        """Decrypt what was sealed for a place.

        Raises:
            Untrusted: It was sealed for another place, with other secrets, or was changed.
            ConfigurationError: The package `cryptography` is not installed.
        """
        if sealed.startswith(_PLAIN) and not is_kept():
            return read_json(sealed.removeprefix(_PLAIN).encode())
        try:
            packed = urlsafe_b64decode(sealed.removeprefix(_VERSION).encode())
        except ValueError as error:
            raise _closed(place) from error
        if not sealed.startswith(_VERSION) or len(packed) < _NONCE:
            raise _closed(place)
        return read_json(self._decrypt(place, packed))

    def _decrypt(self, place: str, packed: bytes) -> bytes:
        ciphers = [_cipher(secret, place) for secret in self._secrets]
        from cryptography.exceptions import InvalidTag  # noqa: PLC0415 -- as in _cipher

        for cipher in ciphers:
            try:
                text: bytes = cipher.decrypt(packed[:_NONCE], packed[_NONCE:], place.encode())
            except InvalidTag:
                continue
            return text
        raise _closed(place)


def _cipher(secret: bytes, place: str) -> Any:
    """Give the cipher of one place."""
    try:  # an agent whose calls hold no secrets need not have it
        from cryptography.hazmat.primitives.ciphers.aead import AESGCM  # noqa: PLC0415
        from cryptography.hazmat.primitives.hashes import SHA256  # noqa: PLC0415
        from cryptography.hazmat.primitives.kdf.hkdf import HKDF  # noqa: PLC0415
    except ImportError as error:
        raise ConfigurationError(
            "cryptography",
            "is not installed, and a call has secrets to encrypt: pip install 'toolferry[secrets]'",
        ) from error
    derived = HKDF(SHA256(), length=32, salt=_SALT, info=place.encode()).derive(secret)
    return AESGCM(derived)


def _closed(place: str) -> Untrusted:
    return Untrusted(f"{place}: its secrets were not sealed for it with this system's secret")
