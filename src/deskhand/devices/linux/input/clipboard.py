"""The clipboard: text offered, read and put back by an X client of our own."""
