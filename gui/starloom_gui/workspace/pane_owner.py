"""The protocol of what owns the panes of a document."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from PySide6.QtCore import SignalInstance

    from starloom_gui.canvas.view import CanvasView
    from starloom_gui.viewmodel.selection import Selection
    from starloom_gui.workspace.drawing import GraphDrawing
    from starloom_gui.workspace.pane_views import PaneViews
    from starloom_gui.workspace.source import DocumentSource, ViewContext


class PaneOwner(Protocol):
    """What owns the panes and has the signals that they are connected to: a `DocumentView`."""

    source: DocumentSource
    around: ViewContext
    selection: Selection
    canvas: CanvasView
    drawing: GraphDrawing
    views: PaneViews

    inspect_asked: SignalInstance
    menu_asked: SignalInstance
    open_asked: SignalInstance
    device_asked: SignalInstance
    host_key_asked: SignalInstance
    attach_asked: SignalInstance
    trust_asked: SignalInstance
    apply_asked: SignalInstance
    agents_asked: SignalInstance
    pane_asked: SignalInstance
    elsewhere_asked: SignalInstance
    refused: SignalInstance
    noticed: SignalInstance
    notice_settled: SignalInstance
