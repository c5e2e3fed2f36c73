"""What there is to say about the audit of a running system."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from toolferry_ledger.connection import server_errors
from toolferry_ledger.ledger import Ledger
from toolferry_ledger.server.remarks import Grade, Remark

#: Seconds that an entry may wait to be sealed.
PATIENCE: Final = 60.0


def remarks_on_audit(ledger: Ledger) -> Iterator[Remark]:
    """Say whether what happens is recorded, and reaches the files; nothing when it is not to be.

    Raises:
        LedgerUnavailable: The server does not answer.
    """
    if ledger.settings.audit is None:
        return
    trouble, lost, waits = _read(ledger)
    if trouble:
        advice = "make room, or mend the folder: calls go on, and what waits is sealed then"
        yield Remark("audit", Grade.FAIL, f"its files cannot be written: {trouble}", advice)
    elif waits > PATIENCE:
        advice = "start a worker with TOOLFERRY_AUDIT=FOLDER, or run: toolferry audit seal"
        yield Remark("audit", Grade.WARN, f"nothing was sealed for {waits:.0f} s", advice)
    elif lost:
        advice = "its key audit is not as it was made: look at who else writes to the server"
        yield Remark("audit", Grade.WARN, f"{lost} entries could not be written", advice)
    else:
        yield Remark("audit", Grade.OK, "what happens to calls is recorded and sealed")


def _read(ledger: Ledger) -> tuple[str, int, float]:
    """Read why the files cannot be written, how much is lost, and how long the oldest waits."""
    prefix = ledger.settings.key_prefix
    with server_errors(ledger.settings), ledger.client.pipeline(transaction=False) as pipe:
        pipe.get(f"{prefix}audit:trouble")
        pipe.get(f"{prefix}audit:lost")
        pipe.xrange(f"{prefix}audit", count=1)
        answers: Any = pipe.execute(raise_on_error=False)
    trouble, lost, oldest = (None if isinstance(one, Exception) else one for one in answers)
    began = int(oldest[0][0].split(b"-")[0]) / 1000 if oldest else ledger.now()
    return (trouble or b"").decode(errors="replace"), int(lost or 0), ledger.now() - began
