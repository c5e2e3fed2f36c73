"""The tools of the cage, in a process that hides nothing: then the canaries must be found."""

from __future__ import annotations

from tests.whole.canary import cage
from toolferry import Registry
from toolferry_testing.leaking import SENTENCE, leak_secrets

leak_secrets(SENTENCE)
registry = Registry.from_module(cage)
