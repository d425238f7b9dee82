"""The report as JUnit XML, which build servers show as tests: a case a task, in one suite."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final
from xml.etree import ElementTree

from starloom.reporting.text import clean, one_line, when

if TYPE_CHECKING:
    from starloom.reporting.report import Failure, Report, ReportedTask

_WORDS: Final = {
    "running": "It had not ended.",
    "pending": "It had not started.",
    "waiting_dependency": "It had not started.",
    "cancelled": "It was cancelled.",
    "skipped": "It was skipped.",
}


def write(report: Report) -> bytes:
    """The document in UTF-8.

    A failed task is a failure, unless the plan takes it as no more than a warning: then, like one that was cancelled,
    skipped or has not ended, it counts as skipped and says why. The time of a case is that of all its attempts.
    """
    suite = ElementTree.Element("testsuite", name=clean(report.title))
    failures = {failure.task: failure for failure in report.failures}
    for place, task in enumerate(report.tasks):
        suite.append(_case(report, task, failures.get(place)))
    counts = {
        "tests": len(report.tasks),
        "failures": len(suite.findall("testcase/failure")),
        "errors": 0,
        "skipped": len(suite.findall("testcase/skipped")),
        "time": f"{report.seconds:.3f}",
    }
    told = {name: str(value) for name, value in counts.items()}
    suite.attrib.update(told | {"timestamp": when(report.wall(0.0)).strftime("%Y-%m-%dT%H:%M:%S")})
    root = ElementTree.Element("testsuites", {"name": clean(report.title), **told})
    root.append(suite)
    ElementTree.indent(root)
    data: bytes = ElementTree.tostring(root, encoding="utf-8", xml_declaration=True)
    return data + b"\n"


def _case(report: Report, task: ReportedTask, failure: Failure | None) -> ElementTree.Element:
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
    elif task.status in _WORDS:
        ElementTree.SubElement(case, "skipped", message=clean(task.reason or _WORDS[task.status]))
    return case
