"""The windows of a display: whose they are, what they are called, and what a window manager does with them."""
