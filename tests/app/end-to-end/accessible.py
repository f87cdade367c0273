# SPDX-License-Identifier: GPL-3.0-or-later
"""The widget tree of a program, read from AT-SPI one level at a time: walking thousands of nodes would wait several times for each.
Properties of a node are a snapshot; its bounds and children are queried on access."""
import ast
import collections
import contextlib
import functools
import re

import gi

gi.require_version("Atspi", "2.0")
from gi.repository import Atspi, Gio, GLib  # noqa: E402

ACCESSIBLE, ROOT = "org.a11y.atspi.Accessible", "/org/a11y/atspi/accessible/root"
NOTHING = "/org/a11y/atspi/null"
FOCUSED, PRESSED, SENSITIVE, VISIBLE = 12, 20, 24, 30  # of AtspiStateType
WINDOW_COORDINATES = 1
FEW = 300  # widgets: to ask each takes less than to list all
OLDER_ROLES = {"button": "push button", "toggle button": "push button", "grouping": "panel"}  # names that differ from at-spi 2.53 and GTK 4.10 on

# A widget in the result of GetItems, as printed by GLib: parsing the text takes a fraction of the time of unpacking tuples. Groups: path, path of
# its parent, number of children, name, role, words of its state. Owners and paths have no quotes; names may, and GLib then escapes them.
STRING = r"""'(?:[^'\\]+|\\.)*'|"(?:[^"\\]+|\\.)*\""""
OBJECT = r"\('[^']*', '([^']*)'\)"
ITEM = re.compile(rf"\({OBJECT}, \('[^']*', '[^']*'\), {OBJECT}, -?\d+, (-?\d+), \[[^]]*\], ({STRING}), (\d+), (?:{STRING}), \[(\d+), (\d+)\]\)")

Box = collections.namedtuple("Box", "x y width height")


class Bus:
    """The accessibility bus, which is separate from the session bus."""

    def __init__(self):
        session = Gio.bus_get_sync(Gio.BusType.SESSION)
        address = session.call_sync("org.a11y.Bus", "/org/a11y/bus", "org.a11y.Bus", "GetAddress", None, None, Gio.DBusCallFlags.NONE, -1, None)
        self.connection = Gio.DBusConnection.new_for_address_sync(
            address.unpack()[0], Gio.DBusConnectionFlags.AUTHENTICATION_CLIENT | Gio.DBusConnectionFlags.MESSAGE_BUS_CONNECTION, None, None)

    def ask(self, owner, path, interface, method, parameters=None):
        return self.connection.call_sync(owner, path, interface, method, parameters, None, Gio.DBusCallFlags.NONE, 60000, None)

    def call(self, *question):
        return self.ask(*question).unpack()

    def ask_all(self, owner, paths, interface, method, parameters=None):
        """Returns pairs of path and reply, without vanished objects: sends all requests before it waits for the first reply."""
        answers, waited_for = {}, len(paths)

        def on_answer(connection, result, path):
            nonlocal waited_for
            waited_for -= 1
            with contextlib.suppress(GLib.Error):
                answers[path] = connection.call_finish(result).unpack()

        for path in paths:
            self.connection.call(owner, path, interface, method, parameters, None, Gio.DBusCallFlags.NONE, 60000, None, on_answer, path)
        while waited_for:
            GLib.MainContext.default().iteration(True)
        return [(path, answers[path]) for path in paths if path in answers]

    def get(self, owner, path, interface, name):
        return self.call(owner, path, "org.freedesktop.DBus.Properties", "Get", GLib.Variant("(ss)", (interface, name)))[0]

    def owner_of(self, pid):
        """Returns the bus name of the process with this id, or None."""
        for owner, _ in self.call("org.a11y.atspi.Registry", ROOT, ACCESSIBLE, "GetChildren")[0]:
            found = self.call("org.freedesktop.DBus", "/", "org.freedesktop.DBus", "GetConnectionUnixProcessID", GLib.Variant("(s)", (owner,)))
            if found[0] == pid:
                return owner
        return None


@functools.cache
def role_of(number):
    """Returns the name of an AtspiRole."""
    name = Atspi.role_get_name(number)
    return OLDER_ROLES.get(name, name)


def handle_signals():
    while GLib.MainContext.default().iteration(False):
        pass


class Node:
    """children: in order; parent: a node, or None for the program itself."""

    def __init__(self, program, path, name, role, states, n_children=0, parent_path=None):
        self.program, self.parent, self.children, self.path, self.name = program, None, [], path, name
        self.role, self.states, self.n_children = role_of(role), states, n_children
        self.parent_path, self.is_visible = parent_path, self.has(VISIBLE)

    @classmethod
    def from_item(cls, program, item):
        """Returns the node of a match of ITEM."""
        path, parent, n_children, name, role, *states = item
        return cls(program, path, ast.literal_eval(name) if "\\" in name else name[1:-1], int(role), [int(state) for state in states], int(n_children),
                   parent)

    def take(self, children):
        self.children = children
        for child in children:
            child.parent = self

    def __eq__(self, other):
        return isinstance(other, Node) and self.path == other.path

    def __hash__(self):
        return hash(self.path)

    def call(self, interface, method, parameters=None):
        return self.program.bus.call(self.program.owner, self.path, "org.a11y.atspi." + interface, method, parameters)

    def get(self, interface, name):
        return self.program.bus.get(self.program.owner, self.path, "org.a11y.atspi." + interface, name)

    def has(self, state):
        return bool(self.states[state // 32] >> state % 32 & 1)

    @property
    def box(self):
        """Returns the bounds within its window, or None if it has none."""
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

    def above(self):
        """Yields its ancestors, the nearest first."""
        node = self.parent
        while node is not None:
            yield node
            node = node.parent

    def all(self):
        """Yields the node and its descendants in tree order."""
        nodes = [self]
        while nodes:
            node = nodes.pop()
            yield node
            nodes += reversed(node.children)

    def find(self, matches):
        return next((node for node in self.all() if matches(node)), None)


class Program:
    """A program on the bus. Its cache lists all widgets, hidden ones included; the children are queried one level at a time, all nodes of a
    level at once, and again only after a change was signalled or shows in the cache."""

    def __init__(self, bus, owner):
        self.bus, self.owner, self.focus = bus, owner, None  # focus: the path of the widget that got it last
        self.held, self.changed = {}, set()  # path: its children when last queried; paths with a change signalled since
        self.claimed = {}  # path: the nodes that named it as their parent then, and whether they were visible
        version = bus.get(owner, ROOT, "org.a11y.atspi.Application", "Version")
        self.toolkit = tuple(int(number) for number in re.findall(r"\d+", version))
        bus.connection.signal_subscribe(owner, "org.a11y.atspi.Event.Object", "ChildrenChanged", None, None, Gio.DBusSignalFlags.NONE,
                                        lambda _connection, _owner, path, *_more: self.changed.add(path))
        bus.connection.signal_subscribe(owner, "org.a11y.atspi.Event.Object", "StateChanged", None, "focused", Gio.DBusSignalFlags.NONE,
                                        self.on_focus)

    def on_focus(self, _connection, _owner, path, _interface, _signal, values):
        if values.get_child_value(1).get_int32():
            self.focus = path

    def list(self):
        """Returns {path: node}, unordered and without children."""
        told = self.bus.ask(self.owner, "/org/a11y/atspi/cache", "org.a11y.atspi.Cache", "GetItems")
        nodes = [Node.from_item(self, item) for item in ITEM.findall(told.print_(False))]
        if len(nodes) != told.get_child_value(0).n_children():
            raise ValueError("the list of widgets is not as it is read")
        return {node.path: node for node in nodes}

    def new_nodes(self, paths):
        """Returns {path: node} of widgets that are not on the list yet, without those that have vanished."""
        name = GLib.Variant("(ss)", (ACCESSIBLE, "Name"))
        names = dict(self.bus.ask_all(self.owner, paths, "org.freedesktop.DBus.Properties", "Get", name))
        roles, states = (dict(self.bus.ask_all(self.owner, paths, ACCESSIBLE, method)) for method in ("GetRole", "GetState"))
        return {path: Node(self, path, names[path][0], roles[path][0], states[path][0], len(self.held.get(path, ())))
                for path in paths if path in names and path in roles and path in states}

    def focused(self):
        """Returns the focused node without children, or None."""
        handle_signals()
        if self.focus:
            with contextlib.suppress(GLib.Error):  # it may be gone
                node = Node(self, self.focus, self.bus.get(self.owner, self.focus, ACCESSIBLE, "Name"),
                            self.bus.call(self.owner, self.focus, ACCESSIBLE, "GetRole")[0],
                            self.bus.call(self.owner, self.focus, ACCESSIBLE, "GetState")[0])
                if node.has(FOCUSED):
                    return node
        return next((node for node in self.list().values() if node.has(FOCUSED)), None)

    def path_at(self, window, x, y):
        """Returns the paths of the widget at this point of a window and of its ancestors, the nearest first; nothing if it is not on the bus."""
        met, path = [], window.call("Component", "GetAccessibleAtPoint", GLib.Variant("(iiu)", (x, y, WINDOW_COORDINATES)))[0][1]
        while path not in (NOTHING, ROOT):
            met.append(path)
            path = self.bus.get(self.owner, path, ACCESSIBLE, "Parent")[1]
        return met

    def holds_the_same(self, node, nodes):
        """Returns True if the children are unchanged since they were queried. Signals are incomplete, so their number and existence are checked
        too. From GTK 4.10 on the cache may lack new nodes and contain vanished ones until they are queried."""
        held = self.held.get(node.path)
        return held is not None and self.toolkit < (4, 10) and node.path not in self.changed and \
            len(held) == node.n_children and all(path in nodes for path in held)

    def read(self):
        """Returns the present tree: the parent node of the windows."""
        nodes = self.list()
        before, self.claimed = self.claimed, collections.defaultdict(set)
        for path, node in nodes.items():
            self.claimed[node.parent_path].add((path, node.is_visible))
        self.changed.update(path for path, claims in self.claimed.items() if claims != before.get(path))  # a widget that is hidden emits no signal
        handle_signals()
        level = [ROOT, *(path for path, node in nodes.items() if path != ROOT and not self.holds_the_same(node, nodes))]
        self.changed.clear()
        self.held = {path: held for path, held in self.held.items() if path in nodes}
        while level:
            answers = self.bus.ask_all(self.owner, level, ACCESSIBLE, "GetChildren")
            self.held.update((path, [child for _, child in children]) for path, (children,) in answers)
            level = [child for _, (children,) in answers for _, child in children if child not in self.held]
        missing = [path for held in self.held.values() for path in held if path not in nodes]
        nodes |= self.list() if len(missing) > FEW else self.new_nodes(missing)
        level = [nodes[ROOT]]
        while level:
            for node in level:
                node.take([nodes[path] for path in self.held.get(node.path, ()) if path in nodes])
            level = [child for node in level for child in node.children]
        return nodes[ROOT]
