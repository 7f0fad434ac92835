"""An editor of Qt 5 whose button and window hand the keyboard on to it; run by a Python that has PyQt5."""

from __future__ import annotations

from PyQt5.QtWidgets import (  # type: ignore[import-not-found]  # the system's Python may have it
    QApplication,
    QPlainTextEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

application = QApplication([])
window = QWidget()
window.setWindowTitle("Proxies")
column = QVBoxLayout(window)
editor = QPlainTextEdit("draft")
button = QPushButton("Line 1")
for widget in (window, button):
    widget.setFocusProxy(editor)
for widget in (editor, button):
    column.addWidget(widget)
window.show()
editor.setFocus()
application.exec_()
