"""Leaking on purpose: how a test of secrecy shows that it would find a secret that gets out.

A test that looks for secrets everywhere and finds none proves little, unless the same test finds
them where nothing is hidden. `leak_secrets` makes a process such a place: nothing is encrypted,
masked or taken out in it, until it ends. Each process of the system has to call it, the workers in
a module of their tools. No variable and no option does the same, so that nobody can have it happen
by accident.
"""

from __future__ import annotations

from toolferry_policies.secrecy import SENTENCE, give_up_secrecy

__all__ = ["SENTENCE", "leak_secrets"]


def leak_secrets(sentence: str) -> None:
    """Have this process hide no secret from now on.

    Args:
        sentence: `SENTENCE`, word for word.

    Raises:
        ValueError: It is another one.
    """
    give_up_secrecy(sentence)
