"""Keyboard, pointer, clipboard and the entry of text on an X display."""
