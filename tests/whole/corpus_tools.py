"""The tools of the shipped corpus sample, as a module that workers load."""

from __future__ import annotations

from tests.providers.corpus import Corpus

registry = Corpus().registry()
