"""The window manager of a private desktop: what it is told, and how it looks."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

# One desktop, so that a wheel turned over the background leads nowhere; no menu on the background.
OPENBOX = """<?xml version="1.0" encoding="UTF-8"?>
<openbox_config xmlns="http://openbox.org/3.4/rc">
  <focus><focusNew>yes</focusNew><followMouse>no</followMouse><raiseOnFocus>yes</raiseOnFocus></focus>
  <placement><policy>Smart</policy><center>yes</center></placement>
  <theme><name>Deskhand</name><titleLayout>LIMC</titleLayout><animateIconify>no</animateIconify>{fonts}</theme>
  <desktops><number>1</number><popupTime>0</popupTime></desktops>
  <resize><drawContents>yes</drawContents><popupShow>Never</popupShow></resize>
  <keyboard>
    <keybind key="A-F4"><action name="Close"/></keybind>
    <keybind key="A-Tab"><action name="NextWindow"><dialog>none</dialog></action></keybind>
    <keybind key="A-S-Tab"><action name="PreviousWindow"><dialog>none</dialog></action></keybind>
    <keybind key="A-F10"><action name="ToggleMaximize"/></keybind>
  </keyboard>
  <mouse>
    <dragThreshold>3</dragThreshold><doubleClickTime>400</doubleClickTime>
    <context name="Frame">
      <mousebind button="A-Left" action="Drag"><action name="Move"/></mousebind>
    </context>
    <context name="Titlebar">
      <mousebind button="Left" action="Press"><action name="Focus"/><action name="Raise"/></mousebind>
      <mousebind button="Left" action="Drag"><action name="Move"/></mousebind>
      <mousebind button="Left" action="DoubleClick"><action name="ToggleMaximize"/></mousebind>
    </context>
{edges}
    <context name="TLCorner TRCorner BLCorner BRCorner">
      <mousebind button="Left" action="Drag"><action name="Resize"/></mousebind>
    </context>
    <context name="Client">
      <mousebind button="Left" action="Press"><action name="Focus"/><action name="Raise"/></mousebind>
      <mousebind button="Middle" action="Press"><action name="Focus"/><action name="Raise"/></mousebind>
      <mousebind button="Right" action="Press"><action name="Focus"/><action name="Raise"/></mousebind>
    </context>
{buttons}
  </mouse>
</openbox_config>
"""
DRAGGED_EDGE = """    <context name="{name}">
      <mousebind button="Left" action="Drag"><action name="Resize"><edge>{edge}</edge></action></mousebind>
    </context>"""
CLICKED_BUTTON = """    <context name="{name}">
      <mousebind button="Left" action="Click"><action name="{action}"/></mousebind>
    </context>"""
# One for all, also for what is never shown.
FONT = """
    <font place="{place}"><name>DejaVu Sans</name><size>9</size></font>"""
FONT_PLACES = (
    "ActiveWindow",
    "InactiveWindow",
    "MenuHeader",
    "MenuItem",
    "ActiveOnScreenDisplay",
    "InactiveOnScreenDisplay",
)

# In place of the system's, which lists all programs that are installed.
MENU = """<?xml version="1.0" encoding="UTF-8"?>
<openbox_menu xmlns="http://openbox.org/3.4/menu"><menu id="root-menu" label=""/></openbox_menu>
"""

# Without gradients, of which the X server would keep pictures.
THEME = """border.width: 1
padding.width: 3
padding.height: 2
window.handle.width: 3
window.client.padding.width: 0
window.*.border.color: #585a5d
window.*.handle.bg: Flat Solid
window.*.handle.bg.color: #eaebec
window.*.grip.bg: Flat Solid
window.*.grip.bg.color: #eaebec
window.*.label.bg: Parentrelative
window.label.text.justify: center
window.active.title.bg: Flat Solid
window.active.title.bg.color: #5f8dc4
window.active.title.separator.color: #4e76a8
window.active.label.text.color: #ffffff
window.active.button.*.bg: Flat Solid Border
window.active.button.*.bg.color: #7aa1d2
window.active.button.*.bg.border.color: #49678b
window.active.button.*.image.color: #ffffff
window.inactive.title.bg: Flat Solid
window.inactive.title.bg.color: #dedcda
window.inactive.title.separator.color: #96999d
window.inactive.label.text.color: #55585f
window.inactive.button.*.bg: Flat Solid Border
window.inactive.button.*.bg.color: #f2f1f0
window.inactive.button.*.bg.border.color: #928f8b
window.inactive.button.*.image.color: #6d6c6c
"""

# The rules of the system's own would be kept in memory for the sake of titles.
FONTS = """<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">
<fontconfig>
  <dir>/usr/share/fonts</dir>
  <dir>/usr/local/share/fonts</dir>
  <cachedir>/var/cache/fontconfig</cachedir>
  <cachedir prefix="xdg">fontconfig</cachedir>
</fontconfig>
"""


def furnish(folder: Path) -> None:
    """Write the window manager's settings into a desktop's private folder."""
    for name in ("config/openbox", "data/themes/Deskhand/openbox-3"):
        (folder / name).mkdir(parents=True, mode=0o700)
    (folder / "config/openbox/rc.xml").write_text(_window_rules())
    (folder / "config/openbox/menu.xml").write_text(MENU)
    (folder / "config/openbox/fonts.conf").write_text(FONTS)
    (folder / "data/themes/Deskhand/openbox-3/themerc").write_text(THEME)


def environment_of(folder: Path, desktop: Mapping[str, str]) -> dict[str, str]:
    """Give its variables, those of the desktop's programs being `desktop`.

    Each saves a third of a megabyte: it reads titles as UTF-8 in any locale, and nobody sees pointers of a theme.
    """
    fonts = str(folder / "config/openbox/fonts.conf")
    return {**desktop, "LC_ALL": "C", "FONTCONFIG_FILE": fonts, "XCURSOR_PATH": str(folder)}


def _window_rules() -> str:
    edges = [DRAGGED_EDGE.format(name=name, edge=name.lower()) for name in ("Top", "Left", "Right", "Bottom")]
    actions = {"Close": "Close", "Maximize": "ToggleMaximize", "Iconify": "Iconify"}
    buttons = [CLICKED_BUTTON.format(name=name, action=action) for name, action in actions.items()]
    fonts = "".join(FONT.format(place=place) for place in FONT_PLACES)
    return OPENBOX.format(fonts=fonts, edges="\n".join(edges), buttons="\n".join(buttons))
