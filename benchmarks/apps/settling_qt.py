"""A window of Qt 5 with tabs, a menu and a button that keeps its program busy; run by the system's Python."""

from __future__ import annotations

import time

from PyQt5.QtWidgets import (  # type: ignore[import-not-found]  # the system's Python has it
    QApplication,
    QListWidget,
    QMainWindow,
    QPushButton,
    QTabWidget,
    QVBoxLayout,
    QWidget,
)

BUSY = 0.2


def work() -> None:
    ends = time.monotonic() + BUSY
    while time.monotonic() < ends:
        pass
    slow.setText("Slow" if slow.text() != "Slow" else "Slow again")
    slow.setAccessibleName("Slow")


application = QApplication([])
window = QMainWindow()
window.setWindowTitle("Settling")
tabs = QTabWidget()
for title in ("One", "Two"):
    rows = QListWidget()
    rows.addItems([f"{title} {number}" for number in range(100)])
    tabs.addTab(rows, title)
slow = QPushButton("Slow")
slow.setAccessibleName("Slow")
slow.clicked.connect(work)
content = QWidget()
layout = QVBoxLayout(content)
layout.addWidget(tabs)
layout.addWidget(slow)
window.setCentralWidget(content)
file = window.menuBar().addMenu("File")
for name in ("New", "Open", "Save"):
    file.addAction(name)
window.resize(500, 400)
window.show()
application.exec_()
