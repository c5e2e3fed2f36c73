"""The server of a run: started as any embedded one, and taken away and brought back on its data."""

from __future__ import annotations

import signal
import time
from contextlib import suppress
from pathlib import Path
from typing import Final

import redis
from redis.backoff import ConstantBackoff
from redis.retry import Retry

from chaos.processes import is_alive, send
from toolferry import LedgerUnavailable
from toolferry_ledger import Settings
from toolferry_ledger.keeping import Keeping
from toolferry_ledger.server import Membership

#: Seconds between two looks whether the server has ended.
_PAUSE: Final = 0.005
#: How often its start is waited for; each wait is 4 s.
START_TRIES: Final = 5
#: Seconds for an answer, and how it is asked again: nobody else keeps the harness waiting.
ANSWER_PATIENCE: Final = 10.0
RETRY_PAUSE, RETRIES = 0.1, 20


class ChaosServer:
    """One embedded server, with its data in a folder of the run.

    It writes to its disk before it answers (`appendfsync always`). With the default, every second,
    it may answer before it writes, while an earlier write is on its way to the disk: killed in that
    moment it comes back without the last of its data, which is another trouble than a restart.

    Args:
        home: The folder of its data.
        namespace: Which system runs on it.
        keeping: How long that system keeps what.
    """

    def __init__(self, home: Path, namespace: str, keeping: Keeping) -> None:
        self._member = Membership(home)
        served = self._member.join()
        self.settings = Settings(
            url=served.url,
            secret=served.secret.encode(),
            namespace=namespace,
            home=home,
            keeping=keeping,
        )
        self.client = redis.Redis.from_url(
            self.settings.redis_url,
            decode_responses=True,
            socket_timeout=ANSWER_PATIENCE,
            retry=Retry(ConstantBackoff(RETRY_PAUSE), RETRIES),
        )
        self._harden()

    @property
    def pid(self) -> int:
        """Its process, the newest."""
        return self._pid

    def restart(self, number: signal.Signals, down: float) -> None:
        """End it with a signal, leave it down for so many seconds, and start it on its data."""
        send(self._pid, number)
        while is_alive(self._pid):
            time.sleep(_PAUSE)
        time.sleep(down)
        self._start()
        self._harden()

    def close(self) -> None:
        """Stop it."""
        self.client.close()
        self._member.leave()

    def _start(self) -> None:
        """Start it, and wait for longer than its users would: the machine may have much to do."""
        for _ in range(START_TRIES - 1):
            with suppress(LedgerUnavailable):
                self._member.join()
                return
        self._member.join()

    def _harden(self) -> None:
        self.client.config_set("appendfsync", "always")
        self._pid = int(self.client.info("server")["process_id"])
