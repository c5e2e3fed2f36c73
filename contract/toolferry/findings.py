"""Findings: what is wrong with the arguments of one call, looked for once.

The repairs, the check and the advice to the model all ask what is wrong. To find it out takes
jsonschema a millisecond for arguments of a kilobyte, so it is found once and handed on.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from jsonschema.exceptions import ValidationError

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

    __slots__ = ("_errors", "_is_judged", "arguments", "validator")

    def __init__(self, validator: ArgumentValidator, arguments: Mapping[str, Any]) -> None:
        self.validator = validator
        self.arguments = arguments
        self._is_judged = False
        self._errors: tuple[ValidationError, ...] | None = None

    @property
    def errors(self) -> tuple[ValidationError, ...]:
        """What jsonschema finds wrong; nothing of arguments that are too deep for it."""
        return self._judged() or ()

    @property
    def faults(self) -> tuple[Fault, ...]:
        """Everything that is wrong, as a model is told; empty when the arguments fit."""
        return self.validator.told(self._judged())

    def are_of(self, validator: ArgumentValidator, arguments: Mapping[str, Any]) -> bool:
        """Tell whether they are about these very arguments, as this validator judges them."""
        return self.arguments is arguments and self.validator is validator

    def _judged(self) -> tuple[ValidationError, ...] | None:
        if not self._is_judged:
            self._errors = self.validator.errors(self.arguments)
            self._is_judged = True
        return self._errors
