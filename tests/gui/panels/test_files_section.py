"""The inspector's part about the files of a task."""

from __future__ import annotations

from tests.gui.panels.test_inspector import InspectorBench

from starloom.constellation.edits import UpdateTask
from starloom.model.files import Files


def test_files_that_metadata_name_are_listed_and_a_task_without_any_has_no_such_part(app, appearance):
    bench = InspectorBench(appearance, app, "merge cov")
    assert not bench.inspector.files.isVisible()
    upload = [{"from": "in.csv", "to": "data/in.csv"}, "model.bin"]
    metadata = {"ssh": {"upload": upload, "fetch": [f"part-{n}" for n in range(12)]}}
    bench.driver.edit(UpdateTask("merge cov", metadata=metadata))
    bench.told()
    listed = bench.texts(bench.inspector.files)
    assert listed[:4] == ["Files", "Sent before it begins", "in.csv → data/in.csv", "model.bin"]
    assert listed[4] == "Fetched once it has completed"
    assert listed[5:] == [*(f"part-{n}" for n in range(10)), "2 more file(s)"]
    bench.driver.edit(UpdateTask("merge cov", files=Files(send=("model.bin",))))
    bench.told()
    assert not bench.inspector.files.isVisible(), "its own field says which"
    bench.select("fuzz")
    assert not bench.inspector.files.isVisible()


def test_of_files_in_metadata_that_cannot_be_used_nothing_is_listed(app, appearance):
    bench = InspectorBench(appearance, app, "merge cov")
    bench.driver.edit(UpdateTask("merge cov", metadata={"ssh": "nonsense"}))
    bench.told()
    assert not bench.inspector.files.isVisible()
