"""The X server: one connection to it, its pictures, its monitors, and an end to waiting for it."""
