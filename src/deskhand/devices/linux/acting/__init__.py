"""Doing one action and seeing what came of it, from the dispatch in `perform` down to the device."""
