"""Findings: what is wrong with the arguments of one call, looked for once.

The repairs, the check and the advice to the model all ask what is wrong.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from toolferry.judging import Misfit
from toolferry.result import Fault

if TYPE_CHECKING:
    from toolferry.validator import ArgumentValidator


class Findings:
    """What a validator finds wrong with some arguments; they are judged when it is first asked.

    They must not be changed from then on.

    Args:
        validator: Judges them.
        arguments: Those of one call.
    """

    __slots__ = ("_is_judged", "_misfits", "arguments", "validator")

    def __init__(self, validator: ArgumentValidator, arguments: Mapping[str, Any]) -> None:
        self.validator = validator
        self.arguments = arguments
        self._is_judged = False
        self._misfits: tuple[Misfit, ...] | None = None

    @property
    def misfits(self) -> tuple[Misfit, ...]:
        """What is wrong; nothing of arguments that are too deep to be judged."""
        return self._judged() or ()

    @property
    def faults(self) -> tuple[Fault, ...]:
        """What is wrong, as a model is told, up to `MAX_FAULTS`; empty when the arguments fit."""
        return self.validator.told(self._judged())

    def are_of(self, validator: ArgumentValidator, arguments: Mapping[str, Any]) -> bool:
        """Tell whether they are about these very arguments, as this validator judges them."""
        return self.arguments is arguments and self.validator is validator

    def _judged(self) -> tuple[Misfit, ...] | None:
        if not self._is_judged:
            self._misfits = self.validator.misfits(self.arguments)
            self._is_judged = True
        return self._misfits
