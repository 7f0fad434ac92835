"""One connection to an X display, and what everybody asks of it."""

from __future__ import annotations

from typing import Any

import xcffib
import xcffib.xproto

from deskhand.core.errors import DeviceError, DeviceLost
from deskhand.core.geometry import Box, Size
from deskhand.devices.linux.x11 import deep_colour
from deskhand.devices.linux.x11.patience import connect

LOCAL_HOST = 252
"""The family of all local users: not in the protocol's own list, nor in the one the server gives."""
SERVER_INTERPRETED = xcffib.xproto.Family.ServerInterpreted


class Display:
    """An open X connection. For one thread, the event loop's: its calls take well under a millisecond."""

    def __init__(self, name: str, connection: Any) -> None:
        self.name = name
        self.conn = connection
        setup = connection.get_setup()
        self._screen = setup.roots[connection.pref_screen]
        self.root: int = self._screen.root
        self._atoms: dict[str, int] = {}
        self._extensions: dict[str, Any] = {}
        self.atom_names: dict[int, str] = {}
        """What `asking.names_of` has been told; it never changes while the server runs."""
        self.processes: dict[tuple[int, int], int] = {}
        """Whose windows are, as `clients.owners` found; true while that process runs."""
        self.frames: dict[int, int] = {}
        """The windows on the root that others are in; true while that one is on the root and the other is not."""

    @classmethod
    def open(cls, name: str) -> Display:
        """Connect to a display such as ":7".

        Raises:
            DeviceError: there is no such display, it refuses us, or its pixels are not 32 bits wide.
        """
        try:
            connection = connect(name)
        except xcffib.ConnectionException as error:
            raise DeviceError(
                f"cannot open display {name!r}: no X server answers there or it refuses this user; "
                "start one or use --device linux:virtual"
            ) from error
        display = cls(name, connection)
        depth = display._screen.root_depth
        if depth not in (24, deep_colour.DEPTH, 32):
            display.close()
            raise DeviceError(
                f"display {name!r} has a colour depth of {depth} bits; 24 are needed: "
                "start the X server with depth 24 or use --device linux:virtual"
            )
        return display

    @property
    def size(self) -> Size:
        """The root window's extent now; it changes when monitors do."""
        try:
            geometry = self.conn.core.GetGeometry(self.root).reply()
        except xcffib.ConnectionException as error:
            raise self.lost() from error
        return Size(geometry.width, geometry.height)

    @property
    def box(self) -> Box:
        return Box.at(0, 0, *self.size)

    @property
    def depth(self) -> int:
        return int(self._screen.root_depth)

    def atom(self, name: str) -> int:
        """Give the number of an atom, made if need be; asked for once."""
        if name not in self._atoms:
            try:
                reply = self.conn.core.InternAtom(False, len(name), name).reply()
            except xcffib.ConnectionException as error:
                raise self.lost() from error
            self._atoms[name] = int(reply.atom)
        return self._atoms[name]

    def atoms(self, *names: str) -> tuple[int, ...]:
        """Give the numbers of several atoms in one round trip."""
        new = [name for name in names if name not in self._atoms]
        try:
            cookies = [self.conn.core.InternAtom(False, len(name), name) for name in new]
            self._atoms.update((name, int(cookie.reply().atom)) for name, cookie in zip(new, cookies, strict=True))
        except xcffib.ConnectionException as error:
            raise self.lost() from error
        return tuple(self._atoms[name] for name in names)

    def sync(self) -> None:
        """Wait until the server has done all that it was asked for."""
        try:
            self.conn.core.GetInputFocus().reply()
        except xcffib.ConnectionException as error:
            raise self.lost() from error

    def extension(self, name: str, key: Any) -> Any:
        """Give an extension of the X server by its name and xcffib's key; None when there is none."""
        if name not in self._extensions:
            try:
                # Asked first: a request of an extension that is not there would end the connection.
                present = self.conn.core.QueryExtension(len(name), name).reply().present
            except xcffib.ConnectionException as error:
                raise self.lost() from error
            self._extensions[name] = self.conn(key) if present else None
        return self._extensions[name]

    def admit_only(self, user: int) -> None:
        """Shut out the machine's other users, whom an X server lets in as it comes."""
        core = self.conn.core
        us = f"localuser\0#{user}".encode()
        try:
            hosts = core.ListHosts().reply().hosts
            core.ChangeHostsChecked(xcffib.xproto.HostMode.Insert, SERVER_INTERPRETED, len(us), us).check()
            listed = [(host.family, bytes(host.address)) for host in hosts]
            for family, address in (*listed, (LOCAL_HOST, b"")):
                core.ChangeHostsChecked(xcffib.xproto.HostMode.Delete, family, len(address), address).check()
        except xcffib.ConnectionException as error:
            raise self.lost() from error

    def paint(self, colour: int) -> None:
        """Give the background a colour, as 0xRRGGBB."""
        try:
            self.conn.core.ChangeWindowAttributes(self.root, xcffib.xproto.CW.BackPixel, [colour])
            self.conn.core.ClearArea(False, self.root, 0, 0, 0, 0)
            self.conn.flush()
        except xcffib.ConnectionException as error:
            raise self.lost() from error

    def lost(self) -> DeviceLost:
        """Make the error for a server that has gone away."""
        return DeviceLost(
            f"the X server of display {self.name!r} is gone, or does not answer any more; start it again "
            "or use --device linux:virtual"
        )

    def close(self) -> None:
        """Disconnect; once closed it stays closed."""
        self.conn.disconnect()
