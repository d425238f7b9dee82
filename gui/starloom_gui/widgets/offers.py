"""The offers of a pane: commands with a label, an icon and the engine's verdict, for menu entries and buttons."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QMenu

from starloom_gui.gateway.command_gateway import label_with_part, reason_of
from starloom_gui.gateway.verbs import spec_of
from starloom_gui.specs.action_list import icon_of, word_of
from starloom_gui.text.words import tip
from starloom_gui.theme.fonts import Role, font
from starloom_gui.theme.icons import icon

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from PySide6.QtWidgets import QWidget

    from starloom.scheduling.commands import Command
    from starloom_gui.gateway.command_gateway import CommandGateway
    from starloom_gui.specs.action_spec import Verdict
    from starloom_gui.theme.icons import Icon
    from starloom_gui.theme.palette import Palette


@dataclass(frozen=True, slots=True)
class Offer:
    """A command that a button or a menu entry sends.

    Attributes:
        label: what is read on it.
        command: what is sent.
        dots: whether something is asked before it is sent; it then only opens that.
    """

    label: str
    command: Command
    icon: Icon
    dots: bool = False


@dataclass(frozen=True, slots=True)
class Look:
    """An offer to select another task."""

    label: str
    number: int


@dataclass(frozen=True, slots=True)
class AddDeviceOffer:
    """An offer to open the dialog for a new device, of this name and with these capabilities if they are needed."""

    label: str
    device_id: str = ""
    capabilities: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class CompareKeyOffer:
    """An offer to open the dialog about the host key of a device, which has changed."""

    label: str
    device_id: str


@dataclass(frozen=True, slots=True)
class LookAtAgents:
    """An offer to show an agent, a pending approval, a pending gate or an open question."""

    label: str
    agent: str = ""
    approval: int = 0
    gate: str = ""
    question: int = 0


@dataclass(frozen=True, slots=True)
class Offered:
    """An offer with the engine's present verdict."""

    offer: Offer
    verdict: Verdict


Remedy = Offered | Look | AddDeviceOffer | CompareKeyOffer | LookAtAgents


def offer_of(command: Command) -> Offer:
    """The offer of a command, with label and icon of its action."""
    key = spec_of(command).key
    return Offer(word_of(key), command, icon_of(key))


def offered(gateway: CommandGateway, offers: Iterable[Offer]) -> tuple[Offered, ...]:
    """The offers with the engine's verdicts.

    Args:
        gateway: gives the verdicts.
        offers: to be judged.
    """
    return tuple(Offered(one, gateway.can(one.command)) for one in offers)


def fill_menu(menu: QMenu, offers: Iterable[Offered], palette: Palette, call: Callable[[Offer], None]) -> None:
    """Append an entry for each offer to a menu; what is not possible is disabled, with the reason as a tooltip.

    Args:
        menu: gets the entries.
        offers: with their verdicts.
        palette: the colours of the icons.
        call: is told which one was chosen.
    """
    menu.setToolTipsVisible(True)
    for one in offers:
        label = label_with_part(one.offer.label, one.verdict)
        action = menu.addAction(icon(one.offer.icon, palette), label)
        action.setEnabled(one.verdict.ok)
        reason = reason_of(one.verdict)
        action.setToolTip(tip(reason or one.verdict.caution or label))
        action.setStatusTip(reason or one.verdict.caution)
        action.triggered.connect(partial(_call, call, one.offer))


def _call(call: Callable[[Offer], None], offer: Offer, _checked: bool = False) -> None:
    call(offer)


def menu_of(
    parent: QWidget, offers: Iterable[Offered], palette: Palette, call: Callable[[Offer], None], title: str
) -> QMenu:
    """Make a menu of offers that is deleted once closed.

    Args:
        parent: the widget it belongs to.
        offers: its entries.
        palette: the colours of its icons.
        call: is told which one was chosen.
        title: its accessible name.
    """
    menu = QMenu(parent)
    menu.setAccessibleName(title)
    menu.setFont(font(Role.BODY))
    menu.aboutToHide.connect(menu.deleteLater)
    fill_menu(menu, offers, palette, call)
    return menu
