#!/bin/sh
# Make .venv ready: `setup.sh PYTHON demo` for the demo, `setup.sh PYTHON dev` for everything.
# Does nothing when it is ready. A .venv that was made elsewhere, or whose Python does not run any
# more, is made anew; any other is kept and completed.
set -eu
python=$1
wanted=$2
here=$(pwd -P)
ready=".venv/.ready-$wanted"
state="$here $(cat pyproject.toml uv.lock scripts/setup.sh | cksum)"

fresh_enough() {
    "$1" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1
}

made_here() {
    grep -qsF "$here/.venv" .venv/bin/activate && fresh_enough .venv/bin/python
}

if made_here; then
    if [ "$(cat "$ready" 2>/dev/null)" = "$state" ]; then exit 0; fi
else
    if ! fresh_enough "$python"; then
        echo "Toolferry needs Python 3.11 or newer, and '$python' is none:" \
            "install it, or name another one as in 'make demo PYTHON=python3.12'." >&2
        exit 1
    fi
    "$python" -m venv --clear .venv
fi

echo "Setting up .venv …"
if ! .venv/bin/python -m uv --version >/dev/null 2>&1; then
    .venv/bin/python -m pip install --quiet --disable-pip-version-check uv
fi
case $wanted in
    demo) set -- --no-dev --extra embedded ;;
    dev) set -- --all-extras ;;
esac
# Inexact: neither set-up takes away what the other one, or uv, needs.
.venv/bin/python -m uv sync --quiet --frozen --inexact --python .venv/bin/python "$@"
echo "$state" >"$ready"
