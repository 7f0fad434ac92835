"""Controls of Qt 5; run by the system's Python when it has PyQt5. What was done is said by a label."""

from __future__ import annotations

from PyQt5.QtCore import QDate, Qt  # type: ignore[import-not-found]  # the system's Python may have it
from PyQt5.QtWidgets import (  # type: ignore[import-not-found]
    QApplication,
    QCheckBox,
    QComboBox,
    QCompleter,
    QDateEdit,
    QFormLayout,
    QLabel,
    QLineEdit,
    QListWidget,
    QMainWindow,
    QMessageBox,
    QPushButton,
    QSlider,
    QTabWidget,
    QWidget,
)

application = QApplication([])
window = QMainWindow()
window.setWindowTitle("Controls")
form = QFormLayout()
content = QWidget()
content.setLayout(form)
window.setCentralWidget(content)
said = QLabel("nothing yet")
form.addRow(said)
name = QLineEdit()
name.setCompleter(QCompleter(["Anna", "Annabel", "Bert"]))
name.textEdited.connect(lambda text: said.setText(f"name {text}"))
form.addRow("&Name:", name)
number = QLineEdit("R-42")
number.setReadOnly(True)
form.addRow("Number:", number)
tick = QCheckBox("Tick")
tick.clicked.connect(lambda on: said.setText(f"Tick clicked {on}"))
form.addRow(tick)
slider = QSlider(Qt.Horizontal)
slider.setMaximum(100)
form.addRow("Volume", slider)
colour = QComboBox()
colour.addItems(["Red", "Green", "Blue"])
form.addRow("Colour", colour)
title = QComboBox()
title.setEditable(True)
title.addItems(["Mr", "Ms", "Dr"])
form.addRow("Title", title)
form.addRow("Arrival", QDateEdit(QDate(2024, 1, 1), displayFormat="yyyy-MM-dd"))
rows = QListWidget()
rows.addItems([f"row {number}" for number in range(200)])
form.addRow(rows)
tabs = QTabWidget()
for title in ("One", "Two"):
    tabs.addTab(QLabel(f"page {title}"), title)
form.addRow(tabs)
window.menuBar().addMenu("&More").addAction("Alpha").triggered.connect(lambda: said.setText("Alpha chosen"))
ok = QPushButton("OK")
ok.clicked.connect(lambda: said.setText("OK pressed"))
form.addRow(ok)


def question() -> None:
    answer = QMessageBox.question(window, "Sure", "Really?")
    said.setText("yes" if answer == QMessageBox.Yes else "no")


ask = QPushButton("Ask")
ask.clicked.connect(question)
form.addRow(ask)
window.resize(420, 600)
window.show()
application.exec_()
