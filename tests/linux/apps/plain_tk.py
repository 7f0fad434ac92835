"""A Tk window, which tells nothing of its controls to anybody; its button changes a text."""

from __future__ import annotations

import tkinter

window = tkinter.Tk()
window.title("Plain")
window.geometry("420x240+60+60")
tkinter.Label(window, text="Customer name").pack(pady=10)
said = tkinter.Label(window, text="Nothing yet")
said.pack(pady=10)
tkinter.Button(window, text="Press here", command=lambda: said.config(text="It was pressed")).pack(pady=10)
window.mainloop()
