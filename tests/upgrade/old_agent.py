"""An agent of the frozen release: dispatches turns, gathers some, and prints what it got.

python -m tests.upgrade.old_agent TURNS [TURN_ID_TO_ATTACH_TO]
"""

from __future__ import annotations

import json
import sys

from tests.upgrade import upgrade_tools
from tests.upgrade.turns import SOMEBODY, calls_of
from toolferry import Registry
from toolferry_dispatcher import Dispatcher


def main() -> None:
    """Do what the command line says."""
    registry = Registry.from_module(upgrade_tools)
    with Dispatcher(registry) as dispatcher:
        turns = [
            dispatcher.dispatch(calls_of(number), turn_id=f"old-{number}")
            for number in range(int(sys.argv[1]))
        ]
        # On behalf of somebody, which its digests do not say.
        dispatcher.dispatch(calls_of(0), turn_id="old-named", context=SOMEBODY).gather(timeout=30)
        contents = [[result.content for result in turn.gather(timeout=30)] for turn in turns]
        attached = [
            [result.content for result in dispatcher.attach(turn_id).gather(timeout=30)]
            for turn_id in sys.argv[2:]
        ]
    sys.stdout.write(json.dumps({"dispatched": contents, "attached": attached}))


if __name__ == "__main__":
    main()
