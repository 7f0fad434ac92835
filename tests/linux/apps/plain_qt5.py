"""A window that is a mere widget of Qt 5, with a button that does nothing; run by the system's Python."""

from __future__ import annotations

from PyQt5.QtWidgets import (  # type: ignore[import-not-found]  # the system's Python may have it
    QApplication,
    QFormLayout,
    QLineEdit,
    QPushButton,
    QWidget,
)

application = QApplication([])
window = QWidget()
window.setWindowTitle("Plain")
form = QFormLayout(window)
form.addRow("Name", QLineEdit())
form.addRow(QPushButton("Dead"))
window.resize(300, 120)
window.show()
application.exec_()
