"""What a private desktop holds before anything runs on it: folders, settings and variables."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from deskhand.devices.linux.desktops import openbox
from deskhand.devices.linux.desktops.java import java_options

PASSED_ON = ("PATH", "LANG", "LANGUAGE", "TZ", "USER", "LOGNAME", "SHELL", "XDG_DATA_DIRS", "FONTCONFIG_FILE")
"""Variables of the caller that reach the desktop's programs, as do those that begin with LC_. Keys to services stay
here."""

# Desktop portals take seconds to start, ask questions that nobody sees, and mount a file system into the folder.
UNWANTED = ("org.freedesktop.portal.", "org.freedesktop.impl.portal.", "org.a11y.Bus")

BUS = """<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <type>session</type>
  <keep_umask/>
  <listen>{address}</listen>
  <auth>EXTERNAL</auth>
  <servicedir>{services}</servicedir>
  <policy context="default">
    <allow send_destination="*" eavesdrop="true"/>
    <allow eavesdrop="true"/>
    <allow own="*"/>
  </policy>
  <limit name="max_incoming_bytes">1000000000</limit>
  <limit name="max_outgoing_bytes">1000000000</limit>
  <limit name="max_message_size">134217728</limit>
  <limit name="max_connections_per_user">4096</limit>
  <limit name="max_names_per_connection">10000</limit>
  <limit name="max_match_rules_per_connection">10000</limit>
  <limit name="max_replies_per_connection">10000</limit>
</busconfig>
"""

# It is told of the screen, where it says its address: Qt 5 finds it nowhere else.
ACCESSIBILITY = """[D-BUS Service]
Name=org.a11y.Bus
Exec={launcher} --launch-immediately --a11y=1 --screen-reader=1
"""

# A screen that moves by itself never rests; pictures of the same state should be the same.
TOOLKIT = """[Settings]
gtk-enable-animations=0
gtk-cursor-blink=0
"""


def session_bus_address(folder: Path) -> str:
    return f"unix:path={folder}/run/bus"


def furnish(folder: Path) -> None:
    """Write the folders and settings of a desktop into its private folder."""
    for name in ("home", "run", "config/gtk-3.0", "config/gtk-4.0", "cache", "data", "services"):
        (folder / name).mkdir(parents=True, mode=0o700)
    (folder / "bus.conf").write_text(BUS.format(address=session_bus_address(folder), services=folder / "services"))
    openbox.furnish(folder)
    for toolkit in ("gtk-3.0", "gtk-4.0"):
        (folder / "config" / toolkit / "settings.ini").write_text(TOOLKIT)
    for file in Path("/usr/share/dbus-1/services").glob("*.service"):
        if not file.name.startswith(UNWANTED):
            (folder / "services" / file.name).symlink_to(file)


def announce_accessibility(folder: Path, launcher: str) -> None:
    """Let the session bus start the accessibility bus when it is first asked for, switched on from the beginning."""
    (folder / "services/org.a11y.Bus.service").write_text(ACCESSIBILITY.format(launcher=launcher))


def environment_of(folder: Path, caller: Mapping[str, str], scale: int) -> dict[str, str]:
    """Give the variables of a desktop's programs; the display is added when it is known."""
    passed = {name: value for name, value in caller.items() if name in PASSED_ON or name.startswith("LC_")}
    if passed.get("LANG", "C") in ("", "C", "POSIX"):
        passed["LANG"] = "C.UTF-8"
    return {
        "PATH": "/usr/local/bin:/usr/bin:/bin:/usr/local/games:/usr/games",
        **passed,
        "HOME": str(folder / "home"),
        "XDG_RUNTIME_DIR": str(folder / "run"),
        "XDG_CONFIG_HOME": str(folder / "config"),
        "XDG_CACHE_HOME": str(folder / "cache"),
        "XDG_DATA_HOME": str(folder / "data"),
        "XDG_SESSION_TYPE": "x11",
        "DBUS_SESSION_BUS_ADDRESS": session_bus_address(folder),
        "DESKTOP_SESSION": "deskhand",
        # Toolkits of today find the accessibility bus by themselves; older ones need to be told.
        "GTK_MODULES": "gail:atk-bridge",
        "GTK_A11Y": "atspi",
        "QT_ACCESSIBILITY": "1",
        "QT_LINUX_ACCESSIBILITY_ALWAYS_ON": "1",
        "GNOME_ACCESSIBILITY": "1",
        "SAL_USE_VCLPLUGIN": "gtk3",
        "GDK_BACKEND": "x11",
        "QT_QPA_PLATFORM": "xcb",
        "QT_QPA_PLATFORMTHEME": "none",
        "GSETTINGS_BACKEND": "keyfile",
        "GIO_USE_VFS": "local",
        "GIO_USE_VOLUME_MONITOR": "unix",
        "GTK_OVERLAY_SCROLLING": "0",
        "LIBGL_ALWAYS_SOFTWARE": "1",
        # GTK 4 would spend a second on finding out that there is no graphics card.
        "GSK_RENDERER": "cairo",
        **java_options(),
        **({"GDK_SCALE": str(scale), "QT_SCALE_FACTOR": str(scale)} if scale != 1 else {}),
    }
