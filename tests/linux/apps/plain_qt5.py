"""A window that is a mere widget of Qt 5, with a button that does nothing and a tree; run by the system's Python.

`plain_qt5.py table`: a table of 20,000 rows, which is a window by itself.
"""

from __future__ import annotations

import sys

from PyQt5.QtCore import Qt  # type: ignore[import-not-found]  # the system's Python may have it
from PyQt5.QtWidgets import (  # type: ignore[import-not-found]
    QApplication,
    QCheckBox,
    QFormLayout,
    QLineEdit,
    QPushButton,
    QTableWidget,
    QTableWidgetItem,
    QTreeWidget,
    QTreeWidgetItem,
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
    some = QCheckBox("Some")
    some.setTristate(True)
    some.setCheckState(Qt.PartiallyChecked)
    form.addRow(some)
    tree = QTreeWidget()
    tree.setHeaderLabels(["Name", "Size"])
    folder = QTreeWidgetItem(["Folder", "9 kB"])
    folder.addChild(QTreeWidgetItem(["File", "4 kB"]))
    tree.addTopLevelItem(folder)
    folder.setExpanded(True)
    form.addRow(tree)
window.setWindowTitle("Plain")
window.resize(300, 240)
window.show()
application.exec_()
