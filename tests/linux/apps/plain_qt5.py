"""A window that is a mere widget of Qt 5, with a button that does nothing; run by the system's Python.

`plain_qt5.py table`: a table of 20,000 rows, which is a window by itself.
"""

from __future__ import annotations

import sys

from PyQt5.QtWidgets import (  # type: ignore[import-not-found]  # the system's Python may have it
    QApplication,
    QFormLayout,
    QLineEdit,
    QPushButton,
    QTableWidget,
    QTableWidgetItem,
    QWidget,
)

application = QApplication([])
if sys.argv[1:] == ["table"]:
    window = QTableWidget(20_000, 2)
    for row in range(20_000):
        window.setItem(row, 0, QTableWidgetItem(f"row {row}"))
else:
    window = QWidget()
    form = QFormLayout(window)
    form.addRow("Name", QLineEdit())
    form.addRow(QPushButton("Dead"))
window.setWindowTitle("Plain")
window.resize(300, 120)
window.show()
application.exec_()
