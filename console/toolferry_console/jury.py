"""What calls are judged by once more when a person at the terminal lets them go on."""

from __future__ import annotations

from functools import cache, cached_property

from toolferry import load_tools
from toolferry_ledger import Catalog, Jury, PolicyFile, policy_file
from toolferry_policies import Policy


class _OperatorsPolicy:
    """The policy of this folder, opened when it is first asked for: who only reads needs none."""

    def current(self) -> Policy:
        """Give the policy that holds now.

        Raises:
            PolicyInvalid: The file cannot be used.
        """
        return self._file.current()

    @cached_property
    def _file(self) -> PolicyFile:
        return policy_file()


def operators_jury(catalog: Catalog, modules: str | None = None) -> Jury:
    """Give the policy of this folder, and the tools.

    Args:
        catalog: What live workers offer; read when it is first asked for, and once.
        modules: The modules that define the tools; None for what is offered.
    """
    if modules is None:
        offered = cache(lambda: catalog.read().tools())
        return Jury(lambda name: offered().get(name), _OperatorsPolicy())
    registry = load_tools(modules)
    return Jury(registry.get, _OperatorsPolicy(), lambda: registry.extensions)
