#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Drives the window like a user: finds widgets by role and name through AT-SPI, from a separate process; sends clicks and keys with xdotool
on a private display and session bus (end-to-end.sh). Every wait is for a condition.
LACUNA_SCREENSHOTS: folder for a screenshot of each step. LACUNA_TEST_PATIENCE: factor of all time limits. LACUNA_TEST_SANITIZED: 1 if a
sanitizer slows the program down. LACUNA_TEST_MODULES: folder of GIO modules for the program (tests/app/helpers/places.c).
"""
import contextlib
import os
import pathlib
import subprocess
import time

import gi

gi.require_version("Gio", "2.0")
from gi.repository import Gio, GLib  # noqa: E402

import accessible  # noqa: E402

APPLICATION, WINDOW = "io.github.lacuna.Lacuna", "/io/github/lacuna/Lacuna/window/1"
PATIENCE = int(os.environ.get("LACUNA_TEST_PATIENCE", "1"))
SLOWNESS = 3 if os.environ.get("LACUNA_TEST_SANITIZED") == "1" else 1
STEPS = []
PROGRAMS = []  # the processes of the windows that were opened
SHADOW = [0, 0, 0, 0]  # added to the bounds of a popover


def say(ok, name):
    STEPS.append(ok)
    print(f"{'ok' if ok else 'not ok'} {len(STEPS)} - {name}", flush=True)


def wait(condition, what, seconds=60, patience=PATIENCE):
    """Returns the first true value of @condition. Gives up 5 s after the last window has ended."""
    seconds *= patience
    end, value, wrong, ended = time.monotonic() + seconds, None, "", None
    while (start := time.monotonic()) < end:
        try:
            value, wrong = condition(), ""
        except Exception as problem:  # the tree changes while it is read
            wrong = f" ({type(problem).__name__}: {problem})"
        if not wrong and value:
            return value
        if PROGRAMS and all(program.poll() is not None for program in PROGRAMS):
            ended = ended or start
            if start > ended + 5:
                raise TimeoutError(f"the program ended with status {PROGRAMS[-1].returncode} before {what}")
        time.sleep(max(0.05, time.monotonic() - start))  # leaves at least half of the time to the program
    raise TimeoutError(f"waited {seconds} s for {what}{wrong}")


def pause(seconds):
    """Sleeps; only if no condition tells the end."""
    time.sleep(seconds * SLOWNESS)


class Actions:
    """The actions of the window on the session bus."""

    def __init__(self):
        self.bus = Gio.bus_get_sync(Gio.BusType.SESSION)

    def call(self, method, parameters, reply):
        return self.bus.call_sync(APPLICATION, WINDOW, "org.gtk.Actions", method, parameters,
                                  GLib.VariantType(reply), Gio.DBusCallFlags.NO_AUTO_START, 5000 * PATIENCE, None)

    def state(self, name):
        described = self.call("Describe", GLib.Variant("(s)", (name,)), "((bgav))").unpack()[0]
        return described[2][0] if described[2] else None

    def enabled(self, name):
        return self.call("Describe", GLib.Variant("(s)", (name,)), "((bgav))").unpack()[0][0]

    def set(self, key, text):
        parameter = GLib.Variant("(ss)", (key, text))
        self.call("Activate", GLib.Variant("(sava{sv})", ("set-parameter", [parameter], {})), "()")

    def replay(self, path, computes, speed):
        parameter = GLib.Variant("(sbd)", (path, computes, speed))
        self.call("Activate", GLib.Variant("(sava{sv})", ("replay-as", [parameter], {})), "()")

    def set_state(self, name, value):
        self.call("SetState", GLib.Variant("(sva{sv})", (name, value, {})), "()")

    def activate(self, name, *values):
        variants = [GLib.Variant("s", value) for value in values]
        self.call("Activate", GLib.Variant("(sava{sv})", (name, variants, {})), "()")


def xdotool(*words):
    subprocess.run(["xdotool", *map(str, words)], check=True)


def place_of(node):
    """Returns the bounds once they are stable: a previous click may have moved it."""
    def stays():
        before = node.box
        time.sleep(0.1)
        return before and before == node.box and before
    return wait(stays, f"the place of {node.name}")


class Window:
    def __init__(self, program, scratch, *arguments):
        self.process = subprocess.Popen([program, *arguments], env=os.environ | {"GIO_EXTRA_MODULES": os.environ.get("LACUNA_TEST_MODULES", "")})
        PROGRAMS.append(self.process)
        self.actions = Actions()
        self.scratch = scratch
        self.pictures = os.environ.get("LACUNA_SCREENSHOTS")
        wait(lambda: self.actions.state("run-state") == "none", "the window")
        bus = accessible.Bus()
        self.program = accessible.Program(bus, wait(lambda: bus.owner_of(self.process.pid), "the window on the accessibility bus"))
        wait(self.program.read, "what the window tells of itself")
        if self.program.toolkit >= (4, 10):  # without a compositor popovers have no shadow
            SHADOW[:] = [-24, -22, 48, 48]

    def windows(self):
        return self.program.read().children

    def find(self, matches):
        return self.program.read().find(matches)

    def find_all(self, matches):
        return [node for node in self.program.read().all() if matches(node)]

    def find_named(self, role, name):
        return self.find(lambda node: node.name == name and node.role == role)

    def node(self, role, name, seconds=20):
        return wait(lambda: self.find_named(role, name), f"{role} “{name}”", seconds)

    def is_shown(self, node):
        """Returns True if the pointer at the centre of the widget is on it: hidden pages keep their place. Around a widget that takes no
        clicks is its container; so it is around an entry, whose text is nothing on the bus."""
        box = node.box
        if not box or self.program.toolkit >= (4, 10):  # hidden widgets have no place there: tests/app/helpers/places.c
            return bool(box)
        above = [node, *node.above()][:-1]
        x, y = box.x + box.width // 2, box.y + box.height // 2

        def is_at(x, y):
            met = self.program.path_at(above[-1], x, y)
            return (node.path in met or any(other.path == met[0] for other in above)) if met else None

        there = is_at(x, y)
        return there if there is not None else any(is_at(*point) for point in ((box.x - 3, y), (x, box.y - 3), (x, box.y + box.height + 2)))

    def click(self, role, name, *keys):
        """Clicks the centre of the widget, which the pointer must hit; without a window manager the window is at 0, 0. @keys: held meanwhile."""
        node = wait(lambda: next((node for node in self.find_all(lambda n: n.name == name and n.role == role) if self.is_shown(node)), None),
                    f"{role} “{name}” under the pointer", 20)
        self.click_on(node, *keys)
        return node

    def click_on(self, node, *keys):
        """Clicks the centre of the widget, like a hand: the pointer rests before it presses."""
        box = place_of(node)
        held = [word for key in keys for word in ("keydown", key)]
        freed = [word for key in keys for word in ("keyup", key)]
        # the pause lets the tooltip of the previous place go, which may lie over this one
        xdotool("mousemove", box.x + box.width // 2, box.y + box.height // 2, "sleep", 0.1 * SLOWNESS, *held, "click", 1, *freed)

    def undo(self, undone, what):
        """Clicks Undo of the message, the lowest one, until @undone: a message that still rises is missed."""
        def clicked():
            if undone():
                return True
            nodes = [node for node in self.find_all(lambda n: n.name == "Undo" and n.role == "label") if self.is_shown(node)]
            if nodes:
                self.click_on(max(nodes, key=lambda node: node.box.y))
                pause(0.5)
            return undone()
        wait(clicked, what)

    def insist(self, act, done, what):
        """Acts until @done: a click below a dialog that closes, or on a page that moves, is missed."""
        def did():
            act()
            with contextlib.suppress(TimeoutError):
                return wait(done, what, 5)
        wait(did, what)

    def open_tab(self, name):
        """Shows a page of the present run or comparison."""
        self.click("page tab", name)

    # ---- the sidebar ----

    def sidebar(self, name):
        """Returns the shown rows of a list of the sidebar, “Places”, “In progress” or “Runs”, as pairs of name and node."""
        lists = self.find_all(lambda n: n.role == "list" and n.name == name)
        rows = [(row.name or next((node.name for node in row.all() if node.name), ""), row) for rows in lists for row in rows.children]
        return sorted(((name, row) for name, row in rows if name and self.is_shown(row)), key=lambda pair: pair[1].box.y)

    def sidebar_row(self, name, start):
        return wait(lambda: next((row for words, row in self.sidebar(name) if words.startswith(start)), None), f"“{start}” in {name}", 20)

    def click_row(self, name, start, *keys):
        self.click_on(self.sidebar_row(name, start), *keys)

    def press(self, name):
        """Clicks a button of a group until it is pressed: the page may move under the pointer."""
        def pressed():
            if self.node("push button", name).has(accessible.PRESSED):
                return True
            self.click("push button", name)
            time.sleep(0.3 * SLOWNESS)
            return False
        wait(pressed, f"“{name}” to be pressed")

    def seen(self, name, role=""):
        """Returns the shown node with this name and a role that contains @role, and its bounds."""
        def placed():
            nodes = self.find_all(lambda n: n.name == name and role in n.role)
            return next(((node, node.box) for node in nodes if self.is_shown(node)), None)
        return wait(placed, f"“{name}” to be seen", 20)

    def click_seen(self, name, role=""):
        self.click_on(self.seen(name, role)[0])

    def picture(self, name):
        if not self.pictures:
            return
        path = pathlib.Path(self.pictures, name + ".png")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.unlink(missing_ok=True)
        self.actions.activate("screenshot-to", str(path))
        wait(path.exists, f"the picture {name}", 20)

    def wait_state(self, name, value, seconds=60):
        wait(lambda: self.actions.state(name) == value, f"{name} = {value}", seconds)


def scroll_to(window, role, name):
    """Turns the wheel over the margin of the pane until the widget is in view. Returns the widget."""
    def in_view():
        node = next((node for node in window.find_all(lambda n: n.name == name and n.role == role) if node.box and has_pane(node)), None)
        if node is None:
            return None
        pane = has_pane(node).box
        is_whole = pane.y <= node.box.y and node.box.y + node.box.height <= pane.y + pane.height
        if window.is_shown(node) and (is_whole or node.box.height > pane.height):  # the edge of a window takes clicks to resize it
            return node
        xdotool("mousemove", pane.x + 10, pane.y + pane.height // 2, "click", 5 if node.box.y > pane.y + pane.height // 2 else 4)
        return None

    def has_pane(node):
        return next((pane for pane in node.above() if pane.role == "scroll pane" and window.is_shown(pane)), None)

    return wait(in_view, f"{name} in view", 20)


def type_into(window, label, text):
    scroll_to(window, "text", label)
    window.click("text", label)
    xdotool("key", "ctrl+a")
    xdotool("type", "--delay", "15", "--", text)
    wait(lambda: window.seen(label, "text")[0].text == text, f"“{text}” in {label}", 20)


def popovers():
    """Returns left, top, width and height of each popover, including the shadow it has, or would have in an older GTK. A popover is a separate
    window whose position AT-SPI does not report."""
    ids = subprocess.run(["xdotool", "search", "--onlyvisible", "--name", ""], capture_output=True, text=True).stdout.split()
    told = [dict(line.split("=") for line in subprocess.run(["xdotool", "getwindowgeometry", "--shell", i], capture_output=True, text=True)
                 .stdout.splitlines() if "=" in line) for i in ids]
    boxes = [[int(box[key]) for key in ("X", "Y", "WIDTH", "HEIGHT")] for box in told if "HEIGHT" in box]
    return [tuple(a + b for a, b in zip(box, SHADOW)) for box in boxes if 100 < box[2] < 700 and box[3] > 60]


def popover_box():
    def settled():  # a click before it has stopped moving would miss
        before = popovers()[0]
        pause(0.3)
        return before == popovers()[0] and before
    return wait(settled, "the popover")


def popover_closes():
    """Waits until it is closed, since it intercepts clicks on widgets below it."""
    xdotool("mousemove", 3, 400)  # outside all widgets with tooltips
    wait(lambda: not popovers(), "the end of the popover")


def choose_by_keys(*keys):
    """Selects by keys in the popover that a click has opened."""
    popover_box()
    xdotool("key", *keys)
    popover_closes()


def prefer(window, name, *keys):
    """Makes a choice of the preferences by @keys."""
    xdotool("key", "ctrl+comma")
    scroll_to(window, "label", name)

    def opens():
        window.click_seen(name, "label")
        pause(1)
        return len(popovers()) == 2
    wait(opens, "the list of choices over the preferences")
    xdotool("key", *keys)
    wait(lambda: len(popovers()) == 1, "the end of the list")
    xdotool("key", "Escape")
    wait(lambda: not popovers(), "the end of the preferences")


def type_path(window, path, ask):
    """Calls @ask, which opens a file chooser, then types the path there and waits until the file is written."""
    before = {node.path for node in window.windows()}  # a dialog that closes may still be one of them
    ask()
    wait(lambda: any(node.path not in before for node in window.windows()), "the chooser", 20)
    pause(1)
    xdotool("key", "ctrl+a")
    xdotool("type", "--delay", "12", "--", str(path))
    pause(0.3)
    xdotool("key", "Return")
    wait(lambda: window.actions.state("exported") == str(path) and path.stat().st_size > 500, path.name, 90)
    return path


def label_of(window, start, seconds=30):
    return wait(lambda: window.find(lambda n: n.role == "label" and n.name.startswith(start)), f"a label {start}", seconds).name


def focus_of(window):
    """Returns role and accessible name of the focused widget, or None."""
    focused = window.program.focused()
    return focused and f"{focused.role} {focused.name}"


def walk_to(window, wanted, most=90):
    """Presses Tab until role and name of the focus begin with @wanted. Returns: the focused widgets on the way."""
    seen = [focus_of(window)]
    while not (seen[-1] or "").startswith(wanted):
        if len(seen) > most:
            raise TimeoutError(f"{most} times Tab did not lead to {wanted}, but through " + "; ".join(map(str, seen)))
        xdotool("key", "Tab")
        with contextlib.suppress(TimeoutError):  # two widgets may have equal role and name
            wait(lambda: focus_of(window) not in (None, seen[-1]), "the focus", 1, SLOWNESS)
        seen.append(focus_of(window))
    return seen


def go_through(program, scratch, parts):
    """Runs each part, then quits the program. Returns the exit status."""
    window = Window(program, scratch)
    try:
        for part in parts:
            part(window)
        window.actions.activate("close")
        say(wait(lambda: window.process.poll() is not None, "the end of the program", 20)
            and window.process.returncode == 0, "the window closes and the program ends well")
    except (TimeoutError, subprocess.CalledProcessError, GLib.Error) as problem:
        say(False, str(problem))
        time.sleep(0.5)
        if window.process.poll() is not None:
            print(f"# the program ended with status {window.process.returncode}", flush=True)
        try:
            window.picture("failed")
        except Exception:
            pass
    finally:
        if window.process.poll() is None:
            window.process.kill()
    print(f"1..{len(STEPS)}")
    return 0 if all(STEPS) else 1
