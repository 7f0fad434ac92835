"""Judges from outside: suites of tasks, attempts at them, and what came of these."""
