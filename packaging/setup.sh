#!/bin/sh
# Makes or renews .venv with Starloom in it: setup.sh run|dev|package
# Needs a Python of 3.11 or newer with its venv module, and nothing else. Called by the Makefile; can be run by hand.
set -eu

cd "$(dirname "$0")/.."
what=${1:-run}
venv=.venv

say() { printf '%s\n' "$*" >&2; }
fail() { say "setup: $*"; exit 1; }

new_enough() { "$1" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1; }

find_python() {
  for candidate in "${PYTHON:-python3}" python3.13 python3.12 python3.11; do
    if command -v "$candidate" >/dev/null 2>&1 && new_enough "$candidate"; then
      command -v "$candidate"
      return 0
    fi
  done
  return 1
}

case $what in
  run) target='.[ssh]' ;;
  dev) target='.[dev]' ;;
  package) target='.[dev,package]' ;;
  *) fail "'$what' is unknown; write setup.sh run, setup.sh dev or setup.sh package." ;;
esac

if ! { [ -x "$venv/bin/python" ] && new_enough "$venv/bin/python" && "$venv/bin/python" -m pip --version >/dev/null 2>&1; }; then
  if ! python=$(find_python); then
    found=$("${PYTHON:-python3}" --version 2>&1) || found="no ${PYTHON:-python3}"
    fail "Starloom needs Python 3.11 or newer; there is $found here. Install one, or name it: make PYTHON=/path/to/python3.12 $what."
  fi
  # Debian and Ubuntu ship venv without ensurepip unless python3-venv is installed.
  "$python" -c 'import venv, ensurepip' >/dev/null 2>&1 ||
    fail "$python cannot make virtual environments. On Debian and Ubuntu: sudo apt-get install python3-venv."
  say "setup: making $venv with $("$python" --version)"
  "$python" -m venv --clear "$venv"
fi

say "setup: installing Starloom ($what) into $venv, versions as in packaging/constraints.txt"
"$venv/bin/python" -m pip install --quiet --disable-pip-version-check -c packaging/constraints.txt -e "$target" ||
  fail "the Python packages could not be installed; the lines above say why. The network and the package index must be reachable."
