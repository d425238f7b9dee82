#!/bin/sh
# Installs OpenSSH's server for the tests of SSH devices, on Debian and Ubuntu, if it is missing. It is kept from
# listening, now and after the next start of the machine: the tests start one of their own, on loopback.
# Elsewhere, and where it may not install it, it says so and goes on: what needs the server is skipped then.
set -eu

say() { printf '%s\n' "$*" >&2; }

if [ -x /usr/sbin/sshd ] || command -v sshd >/dev/null 2>&1; then exit 0; fi
command -v apt-get >/dev/null 2>&1 && command -v dpkg-query >/dev/null 2>&1 || exit 0
if [ -n "${STARLOOM_NO_SYSTEM_LIBRARIES:-}" ]; then exit 0; fi

# A password is asked for only where somebody can answer.
as_root=
if [ "$(id -u)" -ne 0 ]; then
  if command -v sudo >/dev/null 2>&1 && { [ -t 0 ] || sudo -n true 2>/dev/null; }; then
    as_root=sudo
  else
    say "setup: tests of SSH devices that need OpenSSH's server are skipped, as installing it needs root:"
    say "         sudo apt-get install openssh-server"
    exit 0
  fi
fi

# While a policy-rc.d says 101, no service is started that is installed; one that is there already stays as it is.
installing='
policy=/usr/sbin/policy-rc.d
if [ ! -e "$policy" ]; then
  trap "rm -f $policy" EXIT
  trap "exit 1" HUP INT TERM
  printf "#!/bin/sh\nexit 101\n" >"$policy"
  chmod 755 "$policy"
fi
apt-get update -qq
DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends openssh-server >/dev/null
if command -v systemctl >/dev/null 2>&1; then
  systemctl disable --quiet ssh.service 2>/dev/null || true
  systemctl disable --quiet ssh.socket 2>/dev/null || true
elif command -v update-rc.d >/dev/null 2>&1; then
  update-rc.d ssh disable >/dev/null 2>&1 || true
fi
'
say "setup: installing openssh-server for the tests of SSH devices with apt-get${as_root:+ and $as_root}; it is not started"
say "setup: STARLOOM_NO_SYSTEM_LIBRARIES=1 keeps it from that"
if ! $as_root sh -eu -c "$installing"; then
  say "setup: that failed; the tests that need it are skipped. To install it by hand:"
  say "         sudo apt-get install openssh-server"
fi
