"""The ledger: what is true about every call. This is its sync client; `aio` has the asyncio one."""

from __future__ import annotations

import itertools
import uuid
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Any

import redis
from redis.exceptions import NoScriptError

from toolferry_ledger import arguments, replies
from toolferry_ledger.connection import connect_pooled, server_errors
from toolferry_ledger.events import LedgerEvent, read_events
from toolferry_ledger.line import Line
from toolferry_ledger.overview import Overview, read_overview, read_served
from toolferry_ledger.records import (
    Allowed,
    Approved,
    ClaimReply,
    DueReply,
    Ring,
    Settlement,
    SettleReply,
    Submission,
    SubmitReply,
    Suspect,
    SweepReply,
    TurnRecord,
)
from toolferry_ledger.route import Pool, Route
from toolferry_ledger.scripts import SCRIPT_NAMES, Script, script_source
from toolferry_ledger.server.starting import check_server
from toolferry_ledger.settings import Settings

#: How many suspects one look brings up at the most; the next look brings the next.
_BATCH = 200


class Ledger:
    """The records of one system. Thread-safe; every method but `overview` is one round trip.

    Each change of a call is one script: atomic, fenced, on the server's clock. Repeating any of
    them is harmless. All methods raise `LedgerUnavailable` within 5 s when the server cannot be
    reached, or is reached and says nothing.

    Args:
        settings: Which server and which namespace.
        connect: Makes the client when it is first needed.
    """

    def __init__(
        self, settings: Settings, connect: Callable[[Settings], redis.Redis] = connect_pooled
    ) -> None:
        self.settings = settings
        self._connect = connect
        self._prefix = settings.key_prefix
        self._keys = arguments.script_keys(settings)
        self._claim_ids = (f"{uuid.uuid4().hex[:12]}.{n}" for n in itertools.count())

    @cached_property
    def client(self) -> redis.Redis:
        """The client that all methods use."""
        return self._connect(self.settings)

    @cached_property
    def _scripts(self) -> dict[str, Script]:
        keeping, audit = self.settings.keeping, self.settings.audit
        return {name: Script.of(script_source(name, keeping, audit)) for name in SCRIPT_NAMES}

    @cached_property
    def _line(self) -> Line:
        return Line(self.client)

    def _run(self, script: str, args: Sequence[arguments.Argument]) -> Any:
        with server_errors(self.settings):
            asked = self._scripts[script]
            try:
                return self._line.ask(asked.command(self._keys, args))
            except NoScriptError:
                self.client.script_load(asked.text)
                return self._line.ask(asked.command(self._keys, args))

    def check(self) -> None:
        """Make sure that the server answers and is one that we can use; warn of what it may lose.

        Raises:
            LedgerUnavailable: It does not answer within 5 s, or cannot be used; says why.
        """
        with server_errors(self.settings):
            check_server(self.client, self.settings)

    def now(self) -> float:
        """Read the server's clock, in seconds since the epoch."""
        with server_errors(self.settings):
            whole, micro = self.client.time()
        return float(whole) + float(micro) / 1e6

    def submit(
        self,
        turn_id: str,
        meta: bytes,
        digest: str,
        inbox: str,
        calls: Sequence[Submission],
        charges: bytes = b"",
    ) -> SubmitReply | None:
        """Write a turn; None when the turn is there already with other calls.

        Idempotent by `turn_id`: the same digest attaches to the turn that is there.

        Args:
            turn_id: The turn's name, unique in the namespace.
            meta: The dispatcher's own JSON text about the turn.
            digest: A digest of the calls: equal for the same calls only.
            inbox: Whose inbox is to be told of each end.
            calls: Its calls in the model's order.
            charges: The JSON text of `Charges`, once, in the step that writes the turn; empty when
                there is nothing to count.
        """
        args = arguments.submit_arguments(turn_id, meta, digest, inbox, calls, charges)
        return replies.read_submitted(self._run("submit", args))

    def attach(self, turn_id: str, inbox: str = "") -> TurnRecord | None:
        """Read a turn with all its results so far, and have its further ends told to an inbox."""
        return replies.read_turn(turn_id, self._run("attach", [turn_id, inbox]))

    def read_meta(self, turn_id: str) -> bytes | None:
        """Read the dispatcher's own JSON text about a turn; None when the turn is not there."""
        with server_errors(self.settings):
            text = self.client.hget(f"{self._prefix}turn:{turn_id}", "meta")
        return text if isinstance(text, bytes) else None

    def results(self, turn_id: str, positions: Sequence[int]) -> dict[int, bytes]:
        """Read the results of some calls of a turn; those that are not there are left out."""
        fields = [f"r:{position}" for position in positions]
        with server_errors(self.settings):
            found = self.client.hmget(f"{self._prefix}turn:{turn_id}", fields)
        return {
            position: text
            for position, text in zip(positions, found, strict=True)
            if isinstance(text, bytes)
        }

    def read_inbox(
        self, inbox: str, after: str, patience: float
    ) -> tuple[str, dict[str, bytes | None]]:
        """Wait for ends of calls that are told to an inbox.

        Args:
            inbox: Whose inbox.
            after: The position that the last read gave; "0" at first.
            patience: Seconds to wait at the most, above 0 and under 2.

        Returns:
            The position to read after next, and for each call that ended its key with the JSON
            text of its result; None when that is long and has to be read from the turn.
        """
        stream = f"{self._prefix}inbox:{inbox}"
        with server_errors(self.settings):
            # 0 would mean for ever.
            block = max(1, int(patience * 1000))
            reply = self._line.ask(("XREAD", "BLOCK", block, "STREAMS", stream, after))
        return replies.read_inbox(reply, after)

    def wake_inbox(self, inbox: str) -> None:
        """Let whoever waits for an inbox return at once, with nothing told."""
        stream = f"{self._prefix}inbox:{inbox}"
        with server_errors(self.settings), self.client.pipeline(transaction=True) as pipe:
            pipe.xadd(stream, {replies.WAKE: ""})
            pipe.expire(stream, 60)
            pipe.execute()

    def claim(
        self,
        owner: str,
        notices: Sequence[tuple[str, int]],
        room: int | None = None,
        claim_id: str | None = None,
    ) -> ClaimReply:
        """Take the calls that notices name, those that are still to be had.

        Args:
            owner: The worker, whose lease the calls then live under.
            notices: (call_key, fence) of each; all of one route.
            room: How many at the most, 1 or more; a notice of the others goes back to the front
                of its queue. None takes all.
            claim_id: A name of this claim, to make it again under when its answer did not come:
                it then gives the same calls again.
        """
        name = claim_id or next(self._claim_ids)
        free = len(notices) if room is None else room
        args = arguments.claim_arguments(owner, name, free, notices)
        return replies.read_claims(self._run("claim", args))

    def settle(self, settlements: Sequence[Settlement], owner: str = "") -> SettleReply:
        """Write what became of calls; the first outcome wins, a late owner is refused.

        Args:
            settlements: What became of each.
            owner: The worker that ran them, when it says so itself: what a call still holds
                although it has ended is then free.
        """
        args = arguments.settle_arguments(settlements, owner)
        return replies.read_settled(self._run("settle", args))

    def approve(self, approved: Approved) -> tuple[str, list[Ring]]:
        """Write a person's yes; the call goes on when it was the last that had to be.

        Returns:
            A word, and the notices to publish next: `taken`; `changed` when the call does not
            stand as that person saw it, so look again; `closed` when it does not wait for a
            decision, or not any more; `spent` when the standing approval has no use left.
        """
        word, rings = self._run("approve", arguments.approve_arguments(approved))
        return word.decode(), replies.read_rings(rings)

    def allow(self, allowed: Allowed, most: int) -> str:
        """Keep a standing approval until its end; idempotent by its id.

        Returns:
            `kept`, or `full` when there are `most` of them for the same calls already.
        """
        return str(self._run("allow", arguments.allow_arguments(allowed, most)).decode())

    def revoke(self, allowance: str, said: bytes) -> bool:
        """Take a standing approval back; tells whether it was there.

        Args:
            allowance: Its id.
            said: The JSON text of who did it, for the audit; empty when its data is erased.
        """
        return bool(self._run("revoke", [allowance, said]))

    def withdraw(self, call_keys: Sequence[str], reason: str) -> list[bool]:
        """Have running calls stopped; tells of each whether it runs.

        The mark outlives every process: a call that has it is never started again, and its worker
        is asked every 2 s to stop it.
        """
        return [bool(flag) for flag in self._run("withdraw", [reason, *call_keys])]

    def read_orders(self, owner: str, patience: float) -> list[tuple[str, int]]:
        """Wait for calls that a worker is to stop, and take up to 1,000 of them.

        What is taken and then lost is ordered again within 2 s, for as long as the call runs.

        Args:
            owner: The worker.
            patience: Seconds to wait at the most, above 0 and under 2.

        Returns:
            (call_key, fence) of each; one may come twice.
        """
        orders = f"{self._prefix}orders:{owner}"
        with server_errors(self.settings):
            reply: Any = self.client.blmpop(patience, 1, orders, direction="LEFT", count=1000)
        return [replies.read_order(text) for text in reply[1]] if reply else []

    def answer(self, turn_id: str, answers: Mapping[int, bytes]) -> set[int]:
        """Answer calls of a turn that have not ended yet; the first answer of each stays.

        Args:
            turn_id: The turn.
            answers: For each position the JSON text of its answer.

        Returns:
            The positions of those that are answered so now; the others have ended before.
        """
        flat = [part for position, text in answers.items() for part in (position, text)]
        flags = self._run("answer", [turn_id, *flat])
        return {position for position, flag in zip(answers, flags, strict=False) if flag}

    def erase(self, call_keys: Sequence[str]) -> list[str]:
        """Erase some ended calls, up to 1,000; gives a word for each, see `Erased`."""
        return [word.decode() for word in self._run("erase", call_keys)]

    def read_events(self, after: str, patience: float) -> tuple[str, list[LedgerEvent]]:
        """Wait for what programs that listen shall hear of; see `read_events` in `events`."""
        with server_errors(self.settings):
            return read_events(self.client, self._prefix, after, patience)

    def beat(self, owner: str, pools: Sequence[Pool], slots: int) -> None:
        """Renew a worker's lease and tell how many calls it can run at once, and where.

        It lasts for `Keeping.lease` from now.
        """
        self._run("beat", [owner, slots, *map(str, pools)])

    def leave(self, owner: str, pools: Sequence[Pool]) -> None:
        """End a worker's lease at once."""
        self._run("leave", [owner, *map(str, pools)])

    def progress(
        self, call_key: str, fence: int, fraction: float | None, message: str | None
    ) -> None:
        """Keep how far a call is; passed over when it is no longer the asker's."""
        self._run("progress", arguments.progress_arguments(call_key, fence, fraction, message))

    def inspect_call(self, call_key: str) -> Suspect | None:
        """Read one call; None when the ledger does not have it."""
        return next(iter(self.inspect_calls([call_key])), None)

    def inspect_calls(self, call_keys: Sequence[str]) -> list[Suspect]:
        """Read some calls, up to 1,000; those that the ledger does not have are left out."""
        return [replies.read_suspect(row) for row in self._run("look", call_keys)]

    def served(self) -> set[Pool]:
        """Give the pools that have a live worker; two round trips."""
        with server_errors(self.settings):
            return read_served(self.client, self._prefix)

    def overview(self) -> Overview:
        """Read how the system stands: two round trips, also with no worker alive."""
        with server_errors(self.settings):
            return read_overview(self.client, self._prefix)

    def due(self, sweep_every: float) -> DueReply:
        """Send due retries on, and take the calls whose time is up to judge them.

        Args:
            sweep_every: Seconds between two sweeps; one asker per such time is elected.
        """
        return replies.read_due(self._run("due", [_BATCH, arguments.milliseconds(sweep_every)]))

    def sweep(
        self, sweep_every: float, queues: Mapping[Route, tuple[int, int | None]]
    ) -> SweepReply:
        """Take the calls of dead workers to judge them, and ring lost notices again.

        Args:
            sweep_every: Seconds between two sweeps.
            queues: For each route whose queue is on another server the newest notice's number,
                read before the queue's length, and that length; None when it is not known.
        """
        args: list[arguments.Argument] = [_BATCH, arguments.milliseconds(sweep_every)]
        for route, (issued, length) in queues.items():
            args += (str(route), issued, -1 if length is None else length)
        return replies.read_sweep(self._run("sweep", args))

    def read_records(self, call_keys: Sequence[str]) -> list[Any]:
        """Read of each call what was signed: spec, signature, and both before a person edited it.

        Each is None where it is missing.

        Args:
            call_keys: The calls, up to 1,000; the server does nothing else meanwhile.
        """
        return list(self._run("records", call_keys))

    def note_sealed(self, known: bytes, seal: bytes, positions: Sequence[str]) -> bool:
        """Take note that entries of the audit are in a file; see `audit.sealer`.

        Args:
            known: The seal that must be the newest still; empty when there was none.
            seal: The new one.
            positions: The entries, up to 1,000, which are dropped.

        Returns:
            False when another process has sealed meanwhile; nothing was done then.
        """
        return bool(self._run("seal", [known, seal, *positions]))

    def close(self) -> None:
        """Close the connections; the ledger itself stays."""
        if "client" in vars(self):
            self.client.close()
