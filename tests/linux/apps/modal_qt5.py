"""A window with a tool that only a laid-out tooltip names, and two dialogs: one that blocks it, one that does not."""

from __future__ import annotations

import sys

from PyQt5.QtWidgets import (  # type: ignore[import-not-found]  # the system's Python may have it
    QApplication,
    QDialog,
    QPushButton,
    QStyle,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

app = QApplication(sys.argv)
window = QWidget()
window.setWindowTitle("Behind")
window.resize(400, 300)
layout = QVBoxLayout(window)
tool = QToolButton()
tool.setIcon(app.style().standardIcon(QStyle.SP_BrowserReload))
tool.setToolTip("<p style='white-space:pre'>Count the words\n(slowly)</p>")
layout.addWidget(tool)


def opens(name: str, modal: bool) -> None:
    dialog = QDialog(window)
    dialog.setWindowTitle(name)
    dialog.resize(300, 200)
    dialog.setModal(modal)
    inside = QVBoxLayout(dialog)
    close = QPushButton(f"Close {name}")
    close.clicked.connect(dialog.close)
    inside.addWidget(close)
    button = QPushButton(f"Open {name}")
    button.clicked.connect(dialog.show)
    layout.addWidget(button)


opens("Blocking", True)
opens("Lenient", False)
window.show()
sys.exit(app.exec_())
