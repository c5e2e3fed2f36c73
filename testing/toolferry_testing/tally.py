"""The tally of a rehearsal: what its calls come to, counted as the ledger counts it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from toolferry import ToolResult
from toolferry_ledger import Account, Charge, Charges, Repeats

#: Different calls of one conversation that are remembered; with one more it begins anew.
MAX_REPEATS: Final = 1000
#: Sums of fractions are not exact: ten times 0.1 is to fit into 1.
_NEARLY: Final = 1 + 1e-9


@dataclass(frozen=True, slots=True)
class Counted:
    """What became of the calls of a turn when they were counted, by position."""

    refused: Mapping[int, ToolResult] = field(default_factory=dict)
    #: What is told beside a result.
    notes: Mapping[int, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Kept:
    """What was counted under one name, and until when that holds."""

    numbers: Mapping[str, float]
    until: float


@dataclass(slots=True)
class Tally:
    """Counts the turns of one rehearsal, one after another."""

    _kept: dict[str, _Kept] = field(default_factory=dict)

    def count(self, charges: Charges, now: float) -> Counted:
        """Count the calls of a turn; what does not fit is refused, and not counted.

        Args:
            charges: What they are counted against.
            now: Seconds.
        """
        purses = [_Purse(one, self._numbers(one.name, now)) for one in charges.accounts]
        times = self._times(charges.repeats, now)
        refused, notes = {}, {}
        for at, charge in sorted(charges.calls.items()):
            refusal = _refusal(charge, purses, times)
            if refusal is not None:
                refused[at] = replace(refusal, call_id=charge.call_id, name=charge.name)
                continue
            for purse in purses:
                purse.add(charge)
            if times and (note := times.add(charge)):
                notes[at] = note
        for purse in purses:
            self._keep_purse(purse, now)
        if times and times.repeats.name:
            numbers = times.numbers if len(times.numbers) <= MAX_REPEATS else {}
            self._keep(f"repeats:{times.repeats.name}", numbers, now + times.repeats.kept)
        return Counted(refused, notes)

    def _times(self, repeats: Repeats | None, now: float) -> _Times | None:
        if repeats is None:
            return None
        return _Times(repeats, self._numbers(f"repeats:{repeats.name}", now))

    def _numbers(self, name: str, now: float) -> dict[str, float]:
        kept = self._kept.get(name)
        return dict(kept.numbers) if kept and kept.until > now else {}

    def _keep_purse(self, purse: _Purse, now: float) -> None:
        account = purse.account
        if account.name and any(purse.numbers.values()):
            known = self._kept.get(account.name)
            begun = known if known and known.until > now and not account.lasting else None
            until = begun.until if begun else now + account.kept
            self._keep(account.name, {**self._numbers(account.name, now), **purse.numbers}, until)

    def _keep(self, name: str, numbers: Mapping[str, float], until: float) -> None:
        self._kept[name] = _Kept(numbers, until)


@dataclass(slots=True)
class _Purse:
    """What is spent of one budget."""

    account: Account
    numbers: dict[str, float]

    def refusal(self, charge: Charge) -> ToolResult | None:
        """Give the result of a call that does not fit in."""
        for unit in ("calls", "cost", "seconds"):
            limit = self.account.limits.get(unit)
            spent = self.numbers.get(unit, 0.0) + _asked(charge, unit)
            if limit is not None and spent > limit * _NEARLY:
                return self.account.refusals[unit]
        return None

    def add(self, charge: Charge) -> None:
        """Count a call."""
        for unit in self.account.limits:
            self.numbers[unit] = self.numbers.get(unit, 0.0) + _asked(charge, unit)


@dataclass(slots=True)
class _Times:
    """How often each call was made."""

    repeats: Repeats
    numbers: dict[str, float]

    def refusal(self, charge: Charge) -> ToolResult | None:
        """Give the result of a call that was made too often."""
        most = self.repeats.deny_at
        return None if most is None or self._time(charge) < most else self.repeats.refusal

    def add(self, charge: Charge) -> str:
        """Count a call; give what is told of it, if anything."""
        time = self._time(charge)
        if time:
            self.numbers[charge.fingerprint] = time
        before, after = self.repeats.told
        is_told = self.repeats.tell_at is not None and time >= self.repeats.tell_at
        return f"{before}{time}{after}" if is_told else ""

    def _time(self, charge: Charge) -> int:
        """Say which time it is; 0 when that is not counted."""
        return int(self.numbers.get(charge.fingerprint, 0)) + 1 if charge.fingerprint else 0


def _refusal(charge: Charge, purses: list[_Purse], times: _Times | None) -> ToolResult | None:
    found = (purse.refusal(charge) for purse in purses)
    over = next((one for one in found if one is not None), None)
    return over or (times.refusal(charge) if times else None)


def _asked(charge: Charge, unit: str) -> float:
    return {"calls": 1.0, "cost": charge.cost, "seconds": charge.seconds}[unit]
