"""The ledger's asyncio client: the same scripts, for code that runs on an event loop."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from redis.exceptions import NoScriptError

from toolferry_ledger import arguments, replies
from toolferry_ledger.connection import connect_async, server_errors
from toolferry_ledger.line import AsyncLine
from toolferry_ledger.records import Settlement, SettleReply
from toolferry_ledger.scripts import Script, script_source
from toolferry_ledger.settings import Settings


class AsyncLedger:
    """What a worker does on its loop; see `Ledger` for each method's guarantees.

    Args:
        settings: Which server and which namespace.
    """

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.client = connect_async(settings)
        self._line = AsyncLine(self.client)
        self._keys = arguments.script_keys(settings)
        self._scripts = {
            name: Script.of(script_source(name, settings.keeping, settings.audit))
            for name in ("settle", "progress")
        }

    async def _run(self, script: str, args: Sequence[arguments.Argument]) -> Any:
        with server_errors(self.settings):
            asked = self._scripts[script]
            try:
                return await self._line.ask(asked.command(self._keys, args))
            except NoScriptError:
                await self._line.ask(("SCRIPT", "LOAD", asked.text))
                return await self._line.ask(asked.command(self._keys, args))

    async def settle(self, settlements: Sequence[Settlement], owner: str = "") -> SettleReply:
        """Write what became of calls; the first outcome wins, a late owner is refused."""
        reply = await self._run("settle", arguments.settle_arguments(settlements, owner))
        return replies.read_settled(reply)

    async def progress(
        self, call_key: str, fence: int, fraction: float | None, message: str | None
    ) -> None:
        """Keep how far a call is; passed over when it is no longer the asker's."""
        args = arguments.progress_arguments(call_key, fence, fraction, message)
        await self._run("progress", args)

    async def aclose(self) -> None:
        """Close the connections."""
        await self.client.aclose()
