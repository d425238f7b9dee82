#!/bin/sh
# Installs the system libraries that Qt needs for the console, on Debian and Ubuntu, and only those that are missing.
# Elsewhere, and where it may not install, it says what is needed and goes on: the engine works without them.
set -eu

say() { printf '%s\n' "$*" >&2; }

command -v apt-get >/dev/null 2>&1 && command -v dpkg-query >/dev/null 2>&1 || exit 0
if [ -n "${STARLOOM_NO_SYSTEM_LIBRARIES:-}" ]; then exit 0; fi

# Newer Ubuntus have libglib2.0-0t64 for libglib2.0-0: `a|b` is satisfied by either.
# The first row is what any Qt window needs, drawn off screen too; the second what an X11 desktop needs besides; the
# third is for `make test` and `make screenshots`: a display that nobody sees, and hands for it.
wanted="libegl1 libgl1 libglib2.0-0|libglib2.0-0t64 libxkbcommon0 libfontconfig1 libdbus-1-3 fonts-dejavu-core
  libxcb-cursor0 libxcb-icccm4 libxcb-keysyms1 libxkbcommon-x11-0 libxcb-shape0
  xvfb xdotool"

installed() {
  status=$(dpkg-query -W -f='${db:Status-Status}' "$1" 2>/dev/null) && [ "$status" = installed ]
}

known() { apt-cache show "$1" >/dev/null 2>&1; }

missing() {
  for names in $wanted; do
    first=${names%%|*}
    second=${names#*|}
    if ! installed "$first" && ! installed "$second"; then echo "$names"; fi
  done
}

# Which of two names this release has is known only once the package lists are there.
choose() {
  for names in $1; do
    first=${names%%|*}
    second=${names#*|}
    if known "$first" || ! known "$second"; then echo "$first"; else echo "$second"; fi
  done
}

# A password is asked for only where somebody can answer.
as_root=
if [ "$(id -u)" -ne 0 ]; then
  if command -v sudo >/dev/null 2>&1 && { [ -t 0 ] || sudo -n true 2>/dev/null; }; then as_root=sudo; else as_root=nobody; fi
fi

lacking=$(missing)
[ -n "$lacking" ] || exit 0
say "setup: the console's windows (Qt) and their tests need packages of the system that are missing here: $(echo $lacking | sed 's/|[^ ]*//g')"
if [ "$as_root" = nobody ]; then
  say "setup: they are not installed, as this needs root. Starloom's engine works without them. To install them:"
  say "         sudo apt-get install $(echo $(choose "$lacking"))"
  exit 0
fi
say "setup: installing them with apt-get${as_root:+ and $as_root}; STARLOOM_NO_SYSTEM_LIBRARIES=1 keeps it from that"
install() {
  $as_root apt-get update -qq &&
    DEBIAN_FRONTEND=noninteractive $as_root apt-get install -y -qq --no-install-recommends $(choose "$lacking") >/dev/null
}
if ! install; then
  say "setup: that failed; the engine works without them. For the console, install them by hand:"
  say "         sudo apt-get install $(echo $(choose "$lacking"))"
fi
