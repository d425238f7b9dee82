"""The inspector's part about the files of a task."""

from __future__ import annotations

from tests.gui.panels.test_inspector import InspectorBench

from starloom.constellation.edits import UpdateTask
from starloom.model.files import Files


def test_the_files_of_a_task_are_listed_and_one_without_any_has_no_such_part(app, appearance):
    bench = InspectorBench(appearance, app, "merge cov")
    assert not bench.inspector.files.isVisible()
    files = Files(send=({"from": "in.csv", "to": "data/in.csv"}, "model.bin"), fetch=[f"part-{n}" for n in range(12)])
    bench.driver.edit(UpdateTask("merge cov", files=files))
    bench.told()
    listed = bench.texts(bench.inspector.files)
    assert listed[:4] == ["Files", "Sent before it begins", "in.csv → data/in.csv", "model.bin"]
    assert listed[4] == "Fetched once it has completed"
    assert listed[5:] == [*(f"part-{n}" for n in range(10)), "2 more file(s)"]
    bench.select("fuzz")
    assert not bench.inspector.files.isVisible()


def test_of_files_in_metadata_that_cannot_be_used_nothing_is_listed(app, appearance):
    bench = InspectorBench(appearance, app, "merge cov")
    bench.driver.edit(UpdateTask("merge cov", metadata={"ssh": "nonsense"}))
    bench.told()
    assert not bench.inspector.files.isVisible()
