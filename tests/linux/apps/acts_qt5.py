"""Controls of Qt 5 that write down what becomes of them; run by the system's Python when it has PyQt5.

`acts_qt5.py LOG`: every change is appended to LOG as a line `name=value`. Some are traps: the tab "Closed" and the
button "Off" are disabled, "Room 3" cannot be chosen, "Fixed" is read-only, "Dead" does nothing, and "Bound" is put back
0.3 s after it was changed.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from PyQt5.QtCore import Qt, QTimer  # type: ignore[import-not-found]  # the system's Python may have it
from PyQt5.QtWidgets import (  # type: ignore[import-not-found]
    QActionGroup,
    QApplication,
    QCheckBox,
    QComboBox,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QListWidget,
    QListWidgetItem,
    QMainWindow,
    QPushButton,
    QRadioButton,
    QSlider,
    QSpinBox,
    QTableWidget,
    QTableWidgetItem,
    QTabWidget,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

LOG = Path(sys.argv[1])
PUT_BACK = 300


def log(name: str, value: object, *, when: object = True) -> None:
    if not when:
        return
    with LOG.open("a") as file:
        file.write(f"{name}={value}\n")


application = QApplication([])
window = QMainWindow()
window.setWindowTitle("Acts Qt")
content, columns = QWidget(), QHBoxLayout()
content.setLayout(columns)
window.setCentralWidget(content)
left, right = QFormLayout(), QVBoxLayout()
columns.addLayout(left)
columns.addLayout(right)


def menu(title: str) -> Any:
    return window.menuBar().addMenu(title)


view = menu("&View")
for title in ("Ruler", "Grid"):
    action = view.addAction(title)
    action.setCheckable(True)
    action.toggled.connect(lambda on, title=title: log(title, on))
group = QActionGroup(window)
for title in ("Small", "Large"):
    action = group.addAction(view.addAction(title))
    action.setCheckable(True)
    action.setChecked(title == "Small")
    action.toggled.connect(lambda on, title=title: log("size", title, when=on))
edit = menu("&Edit")
said = QLabel("nothing yet")


def choose(title: str) -> None:
    log(title, "chosen")
    said.setText(f"{title} was chosen")


for title in ("Refresh", "Remove Record…"):
    edit.addAction(title).triggered.connect(lambda _, title=title: choose(title))
left.addRow(said)


def button(title: str, act: Any, enabled: bool = True) -> None:
    made = QPushButton(title)
    made.clicked.connect(act)
    made.setEnabled(enabled)
    left.addRow(made)


def went() -> None:
    log("Go", "pressed")
    said.setText("Go was pressed")


button("Go", went)
button("Dead", lambda: None)
button("Off", lambda: log("Off", "pressed"), enabled=False)
bold = QPushButton("Bold")
bold.setCheckable(True)
bold.toggled.connect(lambda on: log("Bold", on))
left.addRow(bold)
wrap = QCheckBox("Wrap")
wrap.toggled.connect(lambda on: log("Wrap", on))
left.addRow(wrap)
for title in ("Cash", "Card"):
    radio = QRadioButton(title)
    radio.toggled.connect(lambda on, title=title: log("pay", title, when=on))
    left.addRow(radio)
fruit = QComboBox()
fruit.addItems(["Apple", "Banana", "Cherry", "Date", "Elderberry"])
fruit.activated[str].connect(lambda text: log("Fruit", text))
left.addRow("Fruit", fruit)
city = QComboBox()
city.setEditable(True)
city.addItems(["Athens", "Berlin", "Cairo"])
city.currentTextChanged.connect(lambda text: log("City", text))
left.addRow("City", city)


def spin(title: str, act: Any) -> Any:
    made = QSpinBox()
    made.setRange(0, 100)
    made.setValue(10)
    made.valueChanged.connect(act)
    left.addRow(title, made)
    return made


def bring_back(value: int) -> None:
    log("Bound", value)
    if value != 10:
        QTimer.singleShot(PUT_BACK, lambda: bound.setValue(10))


spin("Count", lambda value: log("Count", value))
spin("Fixed", lambda value: log("Fixed", value)).setReadOnly(True)
bound = spin("Bound", bring_back)
level = QSlider(Qt.Horizontal)
level.setMaximum(100)
level.valueChanged.connect(lambda value: log("Level", value))
left.addRow("Level", level)

tabs = QTabWidget()
for title in ("General", "Details", "Closed"):
    tabs.addTab(QLabel(f"the page {title}"), title)
tabs.setTabEnabled(2, False)
tabs.currentChanged.connect(lambda place: log("page", tabs.tabText(place)))
right.addWidget(tabs)
rooms = QListWidget()
rooms.setAccessibleName("Rooms")
for number in range(60):
    item = QListWidgetItem(f"Room {number}")
    if number == 3:
        item.setFlags(Qt.NoItemFlags)
    rooms.addItem(item)
rooms.currentTextChanged.connect(lambda text: log("room", text))
right.addWidget(rooms)
tree = QTreeWidget()
tree.setHeaderLabels(["Name"])
tree.setAccessibleName("Files")
for number in range(30):
    folder = QTreeWidgetItem([f"Folder {number}"])
    for letter in "ab":
        folder.addChild(QTreeWidgetItem([f"File {number}{letter}"]))
    tree.addTopLevelItem(folder)
tree.itemExpanded.connect(lambda each: log(f"expanded {each.text(0)}", True))
tree.itemCollapsed.connect(lambda each: log(f"expanded {each.text(0)}", False))
tree.currentItemChanged.connect(lambda each, _: log("file", each and each.text(0), when=each))
right.addWidget(tree)
table = QTableWidget(20, 3)
table.setAccessibleName("Prices")
for row in range(20):
    for column in range(3):
        table.setItem(row, column, QTableWidgetItem(f"{'ABC'[column]}{row}"))
table.currentCellChanged.connect(lambda row, column, *_: log("cell", f"{'ABC'[column]}{row}"))
table.cellChanged.connect(lambda row, column: log(f"text {'ABC'[column]}{row}", table.item(row, column).text()))
right.addWidget(table)
window.resize(820, 900)
window.show()
application.exec_()
