"""The question at the start of a plan that declares rules: whether an agent is to apply them in this run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from typing_extensions import override

from starloom_gui.dialogs.trust import TrustChoice
from starloom_gui.text.words import Plurals, fill
from starloom_gui.widgets.dialog import Dialog
from starloom_gui.widgets.question import WIDTH, Choice, Choices

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from starloom_gui.theme.appearance import Appearance
    from starloom_gui.theme.palette import Palette

WITH: Final = "with"
WITHOUT: Final = "without"


class OwnRulesDialog(Dialog):
    """Asks how a plan with rules is to be started; the answer is `with`, `without`, or none: it is not.

    Attributes:
        choices: the answers.
        trust: which of the edits wait for approval.

    Args:
        appearance: the colours.
        name: what the plan is called.
        count: how many rules it declares.
        parent: a widget of the window.
    """

    def __init__(self, appearance: Appearance, name: str, count: int, parent: QWidget | None = None) -> None:
        super().__init__(appearance, fill(self.tr("Start “%1”"), name), "", width=WIDTH, parent=parent)
        self.trust = TrustChoice()
        sentence = self.tr(
            "This plan declares %1: edits to be made as tasks end. An agent makes them in a run started with it."
        )
        choices = (
            Choice("", self.tr("Cancel"), is_apart=True),
            Choice(WITHOUT, self.tr("Start without rules")),
            Choice(WITH, self.tr("Start with rules"), is_default=True),
        )
        self.choices = Choices(self, fill(sentence, Plurals().rules(count)), choices, self.trust)

    @override
    def apply_theme(self, palette: Palette) -> None:
        super().apply_theme(palette)
        self.trust.apply_theme(palette)
