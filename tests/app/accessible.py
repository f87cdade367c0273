# SPDX-License-Identifier: GPL-3.0-or-later
"""The tree of a program's widgets as AT-SPI tells it, read in one call: a walk from node to node asks several times for each of
thousands. What a node says is of that moment; where it is and what it holds is asked for when it is wanted."""
import ast
import collections
import contextlib
import re

import gi

gi.require_version("Atspi", "2.0")
from gi.repository import Atspi, Gio, GLib  # noqa: E402

ACCESSIBLE, ROOT = "org.a11y.atspi.Accessible", "/org/a11y/atspi/accessible/root"
FOCUSED, SENSITIVE, SHOWING, VISIBLE = 12, 24, 25, 30  # of AtspiStateType
WINDOW_COORDINATES = 1

# What GetItems tells of a widget, as GLib prints it: to read that takes a tenth of the time of turning it into tuples.
STRING = r"""('(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")"""
ITEM = re.compile(rf"\(\({STRING}, {STRING}\), \({STRING}, {STRING}\), \({STRING}, {STRING}\), (-?\d+), (-?\d+), \[[^]]*\], "
                  rf"{STRING}, (\d+), {STRING}, \[(\d+), (\d+)\]\)")

Box = collections.namedtuple("Box", "x y width height")


class Bus:
    """Of accessibility, which is not the bus of the session."""

    def __init__(self):
        session = Gio.bus_get_sync(Gio.BusType.SESSION)
        address = session.call_sync("org.a11y.Bus", "/org/a11y/bus", "org.a11y.Bus", "GetAddress", None, None, Gio.DBusCallFlags.NONE, -1, None)
        self.connection = Gio.DBusConnection.new_for_address_sync(
            address.unpack()[0], Gio.DBusConnectionFlags.AUTHENTICATION_CLIENT | Gio.DBusConnectionFlags.MESSAGE_BUS_CONNECTION, None, None)

    def ask(self, owner, path, interface, method, parameters=None):
        return self.connection.call_sync(owner, path, interface, method, parameters, None, Gio.DBusCallFlags.NONE, 60000, None)

    def call(self, *question):
        return self.ask(*question).unpack()

    def ask_all(self, owner, paths, interface, method):
        """The answers, in the order in which they come, but for those of what has gone: all is asked before the first is waited for."""
        answers, waited_for = [], len(paths)

        def on_answer(connection, result):
            nonlocal waited_for
            waited_for -= 1
            with contextlib.suppress(GLib.Error):
                answers.append(connection.call_finish(result).unpack())

        for path in paths:
            self.connection.call(owner, path, interface, method, None, None, Gio.DBusCallFlags.NONE, 60000, None, on_answer)
        while waited_for:
            GLib.MainContext.default().iteration(True)
        return answers

    def get(self, owner, path, interface, name):
        return self.call(owner, path, "org.freedesktop.DBus.Properties", "Get", GLib.Variant("(ss)", (interface, name)))[0]

    def owner_of(self, pid):
        """The name on the bus of the program with this number, or None."""
        for owner, _ in self.call("org.a11y.atspi.Registry", ROOT, ACCESSIBLE, "GetChildren")[0]:
            found = self.call("org.freedesktop.DBus", "/", "org.freedesktop.DBus", "GetConnectionUnixProcessID", GLib.Variant("(s)", (owner,)))
            if found[0] == pid:
                return owner
        return None


class Node:
    """children: in their order; parent: a node, or None of the program itself."""

    def __init__(self, program, _owner, path, _root_owner, _root, _parent_owner, parent, index, n_children, name, role, _description, *states):
        self.program, self.parent, self.children = program, None, []
        self.path, self.parent_path = path[1:-1], parent[1:-1]
        self.index, self.n_children = int(index), int(n_children)
        self.name = ast.literal_eval(name) if "\\" in name else name[1:-1]
        self.role, self.states = Atspi.role_get_name(int(role)), [int(state) for state in states]

    def __eq__(self, other):
        return isinstance(other, Node) and self.path == other.path

    def __hash__(self):
        return hash(self.path)

    def call(self, interface, method, parameters=None):
        return self.program.bus.call(self.program.owner, self.path, "org.a11y.atspi." + interface, method, parameters)

    def get(self, interface, name):
        return self.program.bus.get(self.program.owner, self.path, "org.a11y.atspi." + interface, name)

    @property
    def gap(self):
        """What tells it and those of its children that are listed from the same at another time, where some are not; else None."""
        return (self.path, self.n_children, *(child.path for child in self.children)) if self.n_children > len(self.children) else None

    def has(self, state):
        return bool(self.states[state // 32] >> state % 32 & 1)

    @property
    def box(self):
        """Within its window, or None where it has no place."""
        box = Box(*self.call("Component", "GetExtents", GLib.Variant("(u)", (WINDOW_COORDINATES,)))[0])
        return box if box.width > 0 and box.height > 0 else None

    @property
    def text(self):
        length = self.get("Text", "CharacterCount")
        return self.call("Text", "GetText", GLib.Variant("(ii)", (0, length)))[0]

    @property
    def description(self):
        return self.get("Accessible", "Description")

    @property
    def value(self):
        return self.get("Value", "CurrentValue")

    def all(self):
        """It and what is in it, in the order of the tree."""
        yield self
        for child in self.children:
            yield from child.all()

    def find(self, matches):
        return next((node for node in self.all() if matches(node)), None)


class Program:
    """A program as it is on the bus. Widgets come into its list once somebody has asked for them as children of others."""

    def __init__(self, bus, owner):
        self.bus, self.owner = bus, owner
        self.unlisted = set()

    def list(self):
        told = self.bus.ask(self.owner, "/org/a11y/atspi/cache", "org.a11y.atspi.Cache", "GetItems")
        nodes = {node.path: node for node in (Node(self, *item) for item in ITEM.findall(told.print_(False)))}
        if len(nodes) != told.get_child_value(0).n_children():
            raise ValueError("the list of widgets is not as it is read")
        for node in nodes.values():
            node.parent = nodes.get(node.parent_path)
            if node.parent and node.index >= 0:  # what is hidden is listed, but no child
                node.parent.children.append(node)
        for node in nodes.values():
            node.children.sort(key=lambda child: child.index)
        return nodes

    def ask_for_children(self, paths, known):
        while paths:
            below = self.bus.ask_all(self.owner, paths, ACCESSIBLE, "GetChildren")
            paths = [path for (children,) in below for _, path in children if path not in known]
            known.update(paths)

    def read(self):
        """The program as it is now: the node above its windows."""
        nodes = self.list()
        short = {node.gap: node.path for node in nodes.values() if node.gap} if len(nodes) > 1 else {None: ROOT}
        if short.keys() - self.unlisted:
            self.ask_for_children(list(short.values()), set(nodes))
            nodes = self.list()
            self.unlisted = {node.gap for node in nodes.values() if node.gap}
        return nodes[ROOT]
