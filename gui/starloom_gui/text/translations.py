"""The language of the console: installs Qt's translators for our texts and for Qt's own."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QLibraryInfo, QLocale, QTranslator

if TYPE_CHECKING:
    from collections.abc import Iterable

    from PySide6.QtCore import QCoreApplication

ENGLISH: Final = "en"
NAMES: Final = {ENGLISH: "English", "de": "Deutsch"}
"""The languages there are, by code, each as its speakers call it."""
_TRANSLATOR: Final = "starloom language"


def install(application: QCoreApplication, language: str = "") -> str:
    """Change the application to a language; returns its code.

    Windows that are open are told by Qt (`QEvent.Type.LanguageChange`). The translators belong to the application.

    Args:
        application: the application.
        language: a code of `NAMES`; anything else: the first of the system's languages that is there, else English.
    """
    for old in application.findChildren(QTranslator, _TRANSLATOR):
        application.removeTranslator(old)
        old.deleteLater()
    spoken = language if language in NAMES else best_of(QLocale.system().uiLanguages())
    _add(application, _ours(ENGLISH))  # the last one is asked first; this one knows plurals and nothing else
    if spoken != ENGLISH:
        _add(application, _qts(spoken))
        _add(application, _ours(spoken))
    return spoken


def best_of(wanted: Iterable[str]) -> str:
    """The first of these languages, e.g. `de-AT`, with a translation; English if there is none."""
    codes = (name.replace("_", "-").partition("-")[0].lower() for name in wanted)
    return next((code for code in codes if code in NAMES), ENGLISH)


def _add(application: QCoreApplication, file: Path) -> None:
    """Install the translator of a file; without one texts stay English, as in a package that leaves Qt's out."""
    translator = QTranslator(application)
    translator.setObjectName(_TRANSLATOR)
    if translator.load(str(file)):
        application.installTranslator(translator)
    else:
        translator.deleteLater()


def _ours(language: str) -> Path:
    return Path(str(files("starloom_resources").joinpath("translations", f"starloom_{language}.qm")))


def _qts(language: str) -> Path:
    return Path(QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)) / f"qtbase_{language}.qm"
