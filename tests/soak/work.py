"""What the tasks of the soak do, as a script and as a Python function, and the ledger line that both write.

Each appends a line to the file `ledger` of the folder it runs in, which is its machine's, as it begins and as it ends:
`begin|end TASK ATTEMPT RUN PID TIME CODE`.
"""

from __future__ import annotations

from typing import Final

LEDGER: Final = "ledger"
LINE: Final = "a line that is printed again and again"
FAILED: Final = 3
NO_SECRET: Final = 8
WRONG_VALUE: Final = 9
"""Exit codes: as planned; the secret is not what was planted; a value of a parent did not arrive as it was."""
LENGTH: Final = 48
"""Characters of each planted secret."""

SCRIPT: Final = f"""\
name=$1 quarter=$2 bytes=$3 failures=$4 value=$5 wanted=$6 got=$7 has_secret=$8
note() {{ echo "$1 $name $STARLOOM_ATTEMPT $STARLOOM_RUN_ID $$ $(date +%s.%N) $2" >>{LEDGER}; }}
leave() {{ note end "$1"; exit "$1"; }}
note begin -
if [ "$wanted" != "$got" ]; then leave {WRONG_VALUE}; fi
if [ "$has_secret" = 1 ]; then
  if [ "${{#TOKEN}}" -ne {LENGTH} ]; then leave {NO_SECRET}; fi
  echo "the secret is $TOKEN"
fi
for part in 1 2 3 4; do
  if [ "$bytes" -gt 0 ]; then yes "{LINE}" | head -c "$bytes"; fi
  sleep "$quarter"
done
if [ "$STARLOOM_ATTEMPT" -le "$failures" ]; then leave {FAILED}; fi
echo "{{\\"n\\": $value}}" >"$STARLOOM_RESULT"
leave 0
"""
"""`bytes` are printed four times, with a pause after each."""

MODULE: Final = f"""\
import os, sys, time

def note(what, name, code):
    attempt, run = os.environ["STARLOOM_ATTEMPT"], os.environ["STARLOOM_RUN_ID"]
    with open("{LEDGER}", "a") as file:
        file.write(f"{{what}} {{name}} {{attempt}} {{run}} {{os.getpid()}} {{time.time()}} {{code}}\\n")

def leave(name, code, why):
    note("end", name, code)
    raise ValueError(why)

def work(name, quarter, bytes, failures, value, wanted, got, has_secret):
    note("begin", name, "-")
    if wanted != str(got):
        leave(name, {WRONG_VALUE}, "another value")
    if has_secret:
        if len(os.environ["TOKEN"]) != {LENGTH}:
            leave(name, {NO_SECRET}, "another secret")
        print("the secret is " + os.environ["TOKEN"])
    for _ in range(4):
        sys.stdout.write(("{LINE}\\n" * (bytes // {len(LINE) + 1} + 1))[:bytes])
        time.sleep(quarter)
    if int(os.environ["STARLOOM_ATTEMPT"]) <= failures:
        leave(name, {FAILED}, "as planned")
    note("end", name, 0)
    return {{"n": value}}
"""
