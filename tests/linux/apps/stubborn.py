"""A program that hides from whoever wants to end it: a session of its own, an orphan, deaf to polite signals.

Writes its process id to the file that is named.
"""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

if os.fork():
    os._exit(0)
os.setsid()
if os.fork():
    os._exit(0)
for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
    signal.signal(number, signal.SIG_IGN)
place = Path(sys.argv[1])
place.with_suffix(".new").write_text(str(os.getpid()))
place.with_suffix(".new").rename(place)
while True:
    signal.pause()
