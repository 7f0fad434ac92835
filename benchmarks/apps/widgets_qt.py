"""Two thousand widgets, a tenth of them in view; run by a Python that has PySide6."""

from __future__ import annotations

from PySide6.QtWidgets import (  # type: ignore[import-not-found]  # build/peers has it, ours not
    QApplication,
    QCheckBox,
    QGridLayout,
    QGroupBox,
    QLabel,
    QLineEdit,
    QMainWindow,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

application = QApplication([])
window = QMainWindow()
window.setWindowTitle("Widgets")
content = QWidget()
column = QVBoxLayout(content)
for group in range(50):
    box = QGroupBox(f"Group {group}")
    grid = QGridLayout(box)
    for row in range(10):
        place = f"{group}.{row}"
        widgets = (
            QLabel(f"Label {place}"),
            QLineEdit(place),
            QCheckBox(f"Check {place}"),
            QPushButton(f"Push {place}"),
        )
        for number, widget in enumerate(widgets):
            grid.addWidget(widget, row, number)
    column.addWidget(box)
area = QScrollArea()
area.setWidget(content)
area.setWidgetResizable(True)
window.setCentralWidget(area)
window.resize(900, 800)
window.show()
application.exec()
