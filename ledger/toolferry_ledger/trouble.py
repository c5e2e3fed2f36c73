"""What is wrong with a server, in one sentence that says what to do. Pure: error in, words out."""

from __future__ import annotations

import re
import ssl
from collections.abc import Iterator
from typing import Final

import redis.exceptions
from redis.asyncio.sentinel import MasterNotFoundError as AsyncMasterNotFoundError
from redis.sentinel import MasterNotFoundError

#: Where the permissions of a user are listed.
OPERATIONS: Final = "docs/operations.md"
#: How OpenSSL says why it does not believe a certificate (X509_V_ERR_…).
_NOT_YET_VALID, _EXPIRED, _WRONG_NAME, _WRONG_ADDRESS = 9, 10, 62, 64
_NOT_TLS: Final = ("WRONG_VERSION_NUMBER", "RECORD_LAYER_FAILURE", "HTTP_REQUEST")
#: What a server says by hanging up: its reason is often lost in that moment.
_ENDED: Final = (
    "it ended the connection; it may want a certificate of the client (ssl_certfile and"
    " ssl_keyfile), or speak no TLS on that port"
)
_NO_CERTIFICATE: Final = ("CERTIFICATE_REQUIRED", "HANDSHAKE_FAILURE")
_UNKNOWN_CERTIFICATE: Final = ("UNKNOWN_CA", "BAD_CERTIFICATE", "CERTIFICATE_UNKNOWN")
#: How Valkey, and Redis 7.0, say it of a command within a script.
_REFUSED_IN_SCRIPT: Final = ("ACL failure", "executing the script can't")
_REFUSED_COMMAND: Final = re.compile(r"run the '([^']+)' command")


def trouble(error: BaseException, url: str) -> str:
    """Say what an error of the client means and what to do about it.

    Args:
        error: What redis-py raised, or the system.
        url: The server's URL: trouble with TLS may look like a server that is not there.
    """
    told = (say(error) for say in (_of_tls, _of_rights, _of_sentinels, _of_size))
    said = next((sentence for sentence in told if sentence), None)
    return said or _of_files(error, url) or _of_silence(error, url)


def _of_tls(error: BaseException) -> str | None:
    found = next((one for one in _causes(error) if isinstance(one, ssl.SSLError)), None)
    return _tls_trouble(found) if found else None


def _of_rights(error: BaseException) -> str | None:
    of_script = isinstance(error, redis.exceptions.ResponseError) and any(
        word in str(error) for word in _REFUSED_IN_SCRIPT
    )
    if of_script or isinstance(error, redis.exceptions.NoPermissionError):
        return _missing_permission(str(error))
    if isinstance(error, redis.exceptions.AuthenticationError):
        return "it refused the password; check TOOLFERRY_URL"
    return None


def _of_sentinels(error: BaseException) -> str | None:
    """Tell sentinels that know no such primary from those that cannot be asked."""
    if not isinstance(error, MasterNotFoundError | AsyncMasterNotFoundError):
        return None
    name = str(error).partition("'")[2].partition("'")[0]
    if " : " in str(error):
        return f"its sentinels do not answer, or see no primary {name!r} that is up; check them"
    return f"its sentinels see no primary {name!r} that is up; check the name and the servers"


def _of_size(error: BaseException) -> str | None:
    if isinstance(error, redis.exceptions.OutOfMemoryError):
        return "it is full; raise its maxmemory or wait until calls have ended"
    return None


def _of_files(error: BaseException, url: str) -> str | None:
    unreadable = FileNotFoundError | PermissionError
    # Of a unix socket that means that its server is not up.
    if url.startswith("unix://") or not any(isinstance(one, unreadable) for one in _causes(error)):
        return None
    return "a certificate's file cannot be read; check the ssl_… options of TOOLFERRY_URL"


def _of_silence(error: BaseException, url: str) -> str:
    silent = (redis.exceptions.ConnectionError, redis.exceptions.TimeoutError, OSError)
    if not isinstance(error, silent):
        return f"it refused: {error}"
    mend = "check that it runs"
    if url.startswith("rediss://"):
        if any(isinstance(one, ConnectionResetError) for one in _causes(error)):
            return _ENDED
        mend += ", and speaks TLS on that port"
    return f"it did not answer ({_first_line(error)}); {mend}"


def _missing_permission(said: str) -> str:
    found = _REFUSED_COMMAND.search(said)
    if found:
        return f"its user may not run {found[1].upper()}; grant it as {OPERATIONS} says"
    return f"its user may not do what is needed ({said}); grant it as {OPERATIONS} says"


def _tls_trouble(error: ssl.SSLError) -> str:
    if isinstance(error, ssl.SSLCertVerificationError):
        return _disbelief(error)
    if isinstance(error, ssl.SSLEOFError):
        return _ENDED
    reason = error.reason or str(error)
    if any(word in reason for word in _NO_CERTIFICATE):
        return "it wants a certificate of the client; name it by ssl_certfile and ssl_keyfile"
    if any(word in reason for word in _UNKNOWN_CERTIFICATE):
        return "it does not accept the client's certificate; check ssl_certfile, and its CA"
    if any(word in reason for word in _NOT_TLS):
        return "it does not speak TLS on that port; check the port, or use redis://"
    return f"TLS failed ({reason}); check the ssl_… options of TOOLFERRY_URL"


def _disbelief(error: ssl.SSLCertVerificationError) -> str:
    if error.verify_code == _EXPIRED:
        return "its certificate has expired; renew it"
    if error.verify_code == _NOT_YET_VALID:
        return "its certificate is not valid yet; check the clocks"
    if error.verify_code in {_WRONG_NAME, _WRONG_ADDRESS}:
        return "its certificate is for another host; use in TOOLFERRY_URL the name that it has"
    return "its certificate is signed by nobody we trust; name its CA's file by ssl_ca_certs"


def _causes(error: BaseException) -> Iterator[BaseException]:
    at: BaseException | None = error
    while at is not None:
        yield at
        at = at.__cause__ or at.__context__


def _first_line(error: BaseException) -> str:
    return str(error).rstrip(".").split("\n")[0] or type(error).__name__
