"""`make fuzz`: libFuzzer, by way of atheris, on all parsers for some minutes.

Each input goes to one parser, which its first byte chooses. Coverage of the project's own code
guides what is tried next. What is found is written to the folder that is named at the start.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from importlib import import_module
from pathlib import Path

#: Bytes of an input at the most, and the seconds that so many may take under the fuzzer's
#: instruments, which slow the code down many times; `test_parsers` holds it to its 0.05.
MOST = 10_000
WITHIN = 0.5


def main() -> None:
    """Fuzz for as long as was asked; leaves with another code than 0 when something was found."""
    given = _options()
    atheris = import_module("atheris")
    with atheris.instrument_imports(include=["toolferry", "toolferry_dispatcher"]):
        parsers = import_module("tests.fuzz.parsers")
        skeletons = import_module("tests.fuzz.skeletons")
    known = sorted(parsers.PARSERS.items())

    def one_input(data: bytes) -> None:
        if not data:
            return
        name, parser = known[data[0] % len(known)]
        began = time.process_time()
        parsers.parse(parser, data[1:])
        taken = time.process_time() - began
        if taken > WITHIN:
            raise TimeoutError(f"{name} took {taken:.2f} s for {len(data):,} bytes")

    folder = Path(given.folder or tempfile.mkdtemp(prefix="toolferry-fuzz-"))
    _sow(folder, [name for name, _ in known], skeletons.SKELETONS)
    print(f"fuzzing {len(known)} parsers for {given.seconds} s in {folder}", file=sys.stderr)  # noqa: T201 -- to people
    limits = [f"-max_total_time={given.seconds}", f"-max_len={MOST}", "-verbosity=0"]
    atheris.Setup(
        [sys.argv[0], *limits, f"-artifact_prefix={folder}/found-", str(folder)], one_input
    )
    atheris.Fuzz()


def _options() -> argparse.Namespace:
    options = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    options.add_argument("--seconds", type=int, default=300)
    options.add_argument("--folder", help="Where inputs are kept; a new one when none is named.")
    return options.parse_args()


def _sow(folder: Path, names: list[str], skeletons: dict[str, object]) -> None:
    """Write a good response for each parser, from which the fuzzer goes on."""
    folder.mkdir(parents=True, exist_ok=True)
    for at, name in enumerate(names):
        for kind, skeleton in skeletons.items():
            if kind == name or name not in skeletons:
                seed = bytes([at]) + json.dumps(skeleton).encode()
                (folder / f"{at}-{kind.replace(' ', '-')}").write_bytes(seed)


if __name__ == "__main__":
    main()
