"""The report as JUnit XML, which build servers show as tests: one case for each task, in one suite.

It is valid by the schema that such servers check (`junit-10.xsd` of Jenkins' xUnit plugin).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final
from xml.etree import ElementTree

from starloom.reporting.text import clean, one_line, when

if TYPE_CHECKING:
    from starloom.reporting.report import Failure, Report, ReportedTask

_SKIPPED: Final = {"cancelled": "It was cancelled.", "skipped": "It was skipped."}
_NOT_ENDED: Final = {
    "interrupted": "It was interrupted: its program died.",
    "running": "It had not ended.",
    "pending": "It had not started.",
    "waiting_dependency": "It had not started.",
}


def write(report: Report) -> bytes:
    """The document in UTF-8.

    A failed task is a failure, unless it counts as no more than a warning: then, like one that was cancelled, skipped
    or only simulated, it counts as skipped and says why. What had not ended is an error, and so is a journal of which a
    part is lost: no build is good by it. What a task warned of is its standard error. The time of a case is that of all
    its attempts, that of the suite the one for which the run has gone on.
    """
    suite = ElementTree.Element("testsuite", name=clean(report.title))
    properties = ElementTree.SubElement(suite, "properties")
    for name, value in report.provenance.named():
        ElementTree.SubElement(properties, "property", name=name, value=clean(value))
    failures = {place: failure for failure in report.failures for place in (failure.task, *failure.alike)}
    warnings = _warnings(report)
    if report.damage:
        case = ElementTree.SubElement(
            suite, "testcase", classname=clean(report.title), name="the journal", time="0.000"
        )
        ElementTree.SubElement(case, "error", message=clean(report.damage), type="damaged_journal")
    for place, task in enumerate(report.tasks):
        suite.append(_case(report, task, failures.get(place), warnings.get(place, "")))
    if report.state in {"interrupted", "unknown"} and suite.find("testcase/error") is None:
        case = ElementTree.SubElement(suite, "testcase", classname=clean(report.title), name="the run", time="0.000")
        ElementTree.SubElement(case, "error", message=clean(report.verdict), type=report.state)
    counts = {
        "tests": str(len(suite.findall("testcase"))),
        "failures": str(len(suite.findall("testcase/failure"))),
        "errors": str(len(suite.findall("testcase/error"))),
        "time": f"{report.gone_on_s:.3f}",
    }
    skipped = str(len(suite.findall("testcase/skipped")))
    began = when(report.wall(0.0)).strftime("%Y-%m-%dT%H:%M:%S")
    suite.attrib.update(counts | {"skipped": skipped, "timestamp": began})
    root = ElementTree.Element("testsuites", {"name": clean(report.title), **counts})
    root.append(suite)
    ElementTree.indent(root)
    data: bytes = ElementTree.tostring(root, encoding="utf-8", xml_declaration=True)
    return data + b"\n"


def _warnings(report: Report) -> dict[int, str]:
    """The warnings of tasks, a line each, by the place of the task."""
    found: dict[int, str] = {}
    for one in report.warnings:
        found[one.task] = f"{found[one.task]}\n{one.message}" if one.task in found else one.message
    return found


def _case(report: Report, task: ReportedTask, failure: Failure | None, warnings: str) -> ElementTree.Element:
    own = [report.attempts[place] for place in task.attempts]
    seconds = sum(one.seconds for one in own)
    case = ElementTree.Element("testcase", classname=clean(report.title), name=one_line(task.id), time=f"{seconds:.3f}")
    if task.status == "failed":
        last = own[-1] if own else None
        message = last.message if last is not None and last.message else (failure.message if failure else "It failed.")
        if task.severity == "warning":
            ElementTree.SubElement(case, "skipped", message=clean(f"Failed, which counts as a warning: {message}"))
        else:
            kind = (last.error if last is not None else "") or "failed"
            told = ElementTree.SubElement(case, "failure", message=clean(message), type=clean(kind))
            told.text = clean(failure.output) if failure is not None else None
        # The schema knows properties of suites only.
        ElementTree.SubElement(case, "system-out").text = f"severity: {task.severity}"
    elif task.marked:
        ElementTree.SubElement(case, "system-out").text = "marked done by hand"
    elif task.simulated:
        ElementTree.SubElement(case, "skipped", message=clean(f"only simulated on {own[-1].device}: it has not run"))
    elif task.status in _SKIPPED:
        ElementTree.SubElement(case, "skipped", message=clean(task.reason or _SKIPPED[task.status]))
    elif task.status in _NOT_ENDED:
        ElementTree.SubElement(case, "error", message=clean(task.reason or _NOT_ENDED[task.status]), type=task.status)
    if warnings:
        ElementTree.SubElement(case, "system-err").text = clean(warnings)
    return case
