"""What was assumed of a plan because its file does not say it, and what a file cannot hold of one, to translate.

The places are those of `engine_sentences`, whose parts these are.
"""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QT_TRANSLATE_NOOP

PLAN_ASSUMPTIONS: Final = (
    QT_TRANSLATE_NOOP(
        "Engine",
        "A DOT graph says nothing about what its nodes do: every task is simulated and takes one second; "
        "colours and shapes are left out.",
    ),
    QT_TRANSLATE_NOOP(
        "Engine", "Nothing of a recorded workflow is run: every task is simulated and takes the time it took."
    ),
    QT_TRANSLATE_NOOP(
        "Engine",
        "The tasks wait for a run from the beginning; what UFO recorded of an earlier one is kept as metadata.",
    ),
    QT_TRANSLATE_NOOP("Engine", "UFO does not say what the devices %1 are; add them to the plan or to a fleet file."),
    QT_TRANSLATE_NOOP("Engine", "Device types are capabilities that a device has to offer: %1."),
    QT_TRANSLATE_NOOP(
        "Engine",
        "Conditions in plain words decide nothing; they are notes in the metadata of their dependencies.",
    ),
    QT_TRANSLATE_NOOP("Engine", "The group %1 has no limit, as the plan limits only %2: is it that one?"),
    QT_TRANSLATE_NOOP("Engine", "The layout places %1, which is no task of the plan; what it says of that is dropped."),
    QT_TRANSLATE_NOOP(
        "Engine",
        "%1: metadata.%2 still says which files are copied, but will not for ever; "
        "write files: {send: […], fetch: […]} instead.",
    ),
)
PLAN_LOSSES: Final = (
    QT_TRANSLATE_NOOP("Engine", "%1 does not hold everything; left out: %2."),
    QT_TRANSLATE_NOOP("Engine", "%1 shows the kinds and conditions of dependencies as labels only."),
    QT_TRANSLATE_NOOP("Engine", "Most viewers of Mermaid draw at most %1 arrows unless they are told otherwise."),
    QT_TRANSLATE_NOOP(
        "Engine", "The schema of WfFormat has only letters, digits and - _ . in ids; for other programs %1."
    ),
    QT_TRANSLATE_NOOP("Engine", "WfFormat has no empty arguments; left out: the commands of %1."),
)
