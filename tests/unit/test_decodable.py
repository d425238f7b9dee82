"""Types that several threads decode for the first time at once."""

from __future__ import annotations

import subprocess
import sys
from typing import Final

_RACE: Final = """
import sys, threading, msgspec
from starloom.decodable import decodable

sys.setswitchinterval(1e-6)
FIELDS = "\\n".join(f"    f{number}: 'tuple[int, ...] | None' = None" for number in range(30))
STRUCTS = f"class Inner(msgspec.Struct):\\n{FIELDS}\\nclass Outer(msgspec.Struct):\\n    inner: 'list[Inner]'"
for round in range(40):
    exec(STRUCTS)
    start, kinds = threading.Barrier(4), (Outer, list[Inner], Inner, Outer)
    def work(kind, value):
        start.wait()
        msgspec.convert(value, decodable(kind))
    values = ({"inner": [{}]}, [{}], {}, {"inner": [{}]})
    threads = [threading.Thread(target=work, args=pair) for pair in zip(kinds, values)]
    for thread in threads: thread.start()
    for thread in threads: thread.join()
print("done")
"""


def test_threads_that_decode_the_same_structs_first_do_not_end_the_process() -> None:
    done = subprocess.run([sys.executable, "-c", _RACE], capture_output=True, text=True, check=False, timeout=120)
    assert (done.returncode, done.stdout, done.stderr) == (0, "done\n", "")
