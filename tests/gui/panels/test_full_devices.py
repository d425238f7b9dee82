"""All devices that could take a task are named where none of them has a slot free."""

from __future__ import annotations

from tests.driver import Driver, plan, task
from tests.gui.panels.fleets import ByHand

from starloom.scheduling import commands as c
from starloom.scheduling.read.run_view import TaskView
from starloom.scheduling.reservation_commands import Reserve
from starloom_gui.panels.why_question import WhyQuestion
from starloom_gui.panels.why_rows import why_rows
from starloom_gui.widgets.offers import AddDeviceOffer, Offered


def test_all_full_devices_are_named_each_with_its_slots_and_a_button() -> None:
    driver = Driver(devices=())
    for id, slots in (("local", 2), ("second", 1), ("gpu box", 4), ("lab", 1)):
        driver.add_device(id, slots=slots)
    driver.do(c.DrainDevice(device_id="gpu box"))
    driver.do(Reserve(device_id="lab", reason="measuring", seconds=600.0, origin="carla"))
    driver.create(plan([task(name) for name in ("a", "b", "c", "late")]))
    run = driver.run()
    number = run.graph.place["late"]
    row, *_ = why_rows(WhyQuestion(TaskView(run, number), driver.now, ByHand(driver)), driver.why("late"))
    assert row.text == "All slots are taken: local 2 of 2, second 1 of 1"
    assert row.detail == "gpu box: draining, lab: reserved by carla", "they would have room, and are no way out"
    offers = [one.offer for one in row.remedies if isinstance(one, Offered)]
    assert [(one.label, one.command) for one in offers] == [
        ("Raise local to 3 slot(s)", c.SetSlots(device_id="local", slots=3)),
        ("Raise second to 2 slot(s)", c.SetSlots(device_id="second", slots=2)),
    ]


def test_one_full_device_is_named_alone() -> None:
    driver = Driver(devices=())
    driver.add_device("local", slots=1)
    driver.create(plan([task("a"), task("late")]))
    run = driver.run()
    row, *_ = why_rows(
        WhyQuestion(TaskView(run, run.graph.place["late"]), driver.now, ByHand(driver)), driver.why("late")
    )
    assert row.text == "All slots of local are taken: 1 of 1"
    assert [one.label if not isinstance(one, Offered) else one.offer.label for one in row.remedies] == [
        "Raise to 2 slot(s)"
    ]


def test_a_full_device_that_is_not_heard_any_more_says_so_first_and_is_given_no_slots() -> None:
    driver = Driver(devices=())
    driver.add_device("lab", slots=1)
    driver.create(plan([task("a"), task("late")]), wall_time=1_795_184_280.0)
    run = driver.run()
    view = TaskView(run, run.graph.place["late"])
    asked = WhyQuestion(view, driver.now, ByHand(driver), unheard_since={"lab": driver.now}.get)
    row, *_ = why_rows(asked, driver.why("late"))
    assert row.text.startswith("lab was last heard at ")
    assert (row.detail, row.remedies) == ("All slots of lab are taken: 1 of 1", ())


def test_a_device_that_is_not_there_is_offered_by_its_name() -> None:
    driver = Driver(devices=())
    driver.create(plan([task("a", device="lab")]))
    row, *_ = why_rows(WhyQuestion(TaskView(driver.run(), 0), driver.now, ByHand(driver)), driver.why("a"))
    (offer,) = row.remedies
    assert isinstance(offer, AddDeviceOffer)
    assert offer.device_id == "lab"


def test_a_device_that_can_what_a_task_needs_is_offered() -> None:
    driver = Driver(slots=1)
    driver.create(plan([task("a", requires=["tpu", "gpu"])]))
    row, *_ = why_rows(WhyQuestion(TaskView(driver.run(), 0), driver.now, ByHand(driver)), driver.why("a"))
    (offer,) = row.remedies
    assert isinstance(offer, AddDeviceOffer)
    assert (offer.device_id, offer.capabilities) == ("", frozenset({"gpu", "tpu"}))
