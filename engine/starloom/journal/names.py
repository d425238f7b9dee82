"""The names of the files and folders of a run, and of the fleet's journal."""

from __future__ import annotations

from typing import Final

JOURNAL: Final = "journal.db"
"""The name of the journal in a run's folder."""
FLEET_JOURNAL: Final = "fleet.db"
"""The name of the fleet's journal, beside the folder of the runs."""
OUTPUT: Final = "output"
"""The name of the folder in it that holds what attempts printed."""
ATTEMPTS: Final = "attempts"
"""The name of the folder in it that holds what devices keep of attempts until all that is left of them is gone."""
REMAINS: Final = (".ssh",)
"""How files in it end that say that something of an attempt is left on another machine; see `devices.kept_record`."""
LAYOUT: Final = "layout.json"
"""The name of the file in it that says where nodes were placed by hand; there need not be one."""
NOTES: Final = "notes.json"
"""The name of the file in it that has the notes as they were changed beside the run; there need not be one."""
STAGED: Final = "staged.msgpack"
"""The name of the file in it that keeps the edits that a person has staged and not committed; there need not be one."""
TYPED: Final = "typed.msgpack"
"""The name of the file in it that keeps what is typed and not set while its window is open; there need not be one."""
ALIVE: Final = "alive"
"""The name of the file in it that says until when its program was alive, while the run goes on."""
IMPORTED: Final = "imported.json"
"""In the folder of a run that came from elsewhere: what its bundle said about itself."""
SALVAGED: Final = "salvaged.json"
"""In the folder of a run of whose journal a part is lost, until somebody has said what is to be done again."""
