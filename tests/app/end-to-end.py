#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The main job with a real pointer: gallery, set-up, another K, launch, pause, step, resume, timeline, export.

Run by tests/app/end-to-end.sh on a display and a session bus of its own. What is clicked is found by its role and name
through AT-SPI, in this process apart from the window; clicks and keys come from xdotool. Every wait is for a condition.
LACUNA_SCREENSHOTS names a folder for pictures of each step.
"""
import os
import pathlib
import subprocess
import sys
import time

import gi

gi.require_version("Gio", "2.0")
from gi.repository import Gio, GLib  # noqa: E402

import pyatspi  # noqa: E402

APPLICATION, WINDOW = "io.github.lacuna.Lacuna", "/io/github/lacuna/Lacuna/window/1"
STEPS = []


def say(ok, name):
    STEPS.append(ok)
    print(f"{'ok' if ok else 'not ok'} {len(STEPS)} - {name}", flush=True)


def wait(condition, what, seconds=60):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        try:
            value = condition()
        except Exception:  # the tree changes while it is read
            value = None
        if value:
            return value
        time.sleep(0.05)
    raise TimeoutError(f"waited {seconds} s for {what}")


class Actions:
    """The actions of the window on the session bus."""

    def __init__(self):
        self.bus = Gio.bus_get_sync(Gio.BusType.SESSION)

    def call(self, method, parameters, reply):
        return self.bus.call_sync(APPLICATION, WINDOW, "org.gtk.Actions", method, parameters,
                                  GLib.VariantType(reply), Gio.DBusCallFlags.NO_AUTO_START, 5000, None)

    def state(self, name):
        described = self.call("Describe", GLib.Variant("(s)", (name,)), "((bgav))").unpack()[0]
        return described[2][0] if described[2] else None

    def enabled(self, name):
        return self.call("Describe", GLib.Variant("(s)", (name,)), "((bgav))").unpack()[0][0]

    def set(self, key, text):
        parameter = GLib.Variant("(ss)", (key, text))
        self.call("Activate", GLib.Variant("(sava{sv})", ("set-parameter", [parameter], {})), "()")

    def activate(self, name, *values):
        variants = [GLib.Variant("s", value) for value in values]
        self.call("Activate", GLib.Variant("(sava{sv})", (name, variants, {})), "()")


def find(root, role, name):
    def matches(node):
        return node.getRoleName() == role and node.name == name  # GTK 4.8 does not say what is showing
    return pyatspi.findDescendant(root, matches, breadth_first=False)


def xdotool(*words):
    subprocess.run(["xdotool", *map(str, words)], check=True)


def box_of(node):
    box = node.queryComponent().getExtents(pyatspi.WINDOW_COORDS)
    return box if box.width > 0 and box.height > 0 else None


class Window:
    def __init__(self, program, scratch):
        self.process = subprocess.Popen([program])
        self.actions = Actions()
        self.scratch = scratch
        self.pictures = os.environ.get("LACUNA_SCREENSHOTS")
        wait(lambda: self.actions.state("run-state") == "none", "the window")
        self.root = wait(self.find_root, "the window on the accessibility bus")

    def find_root(self):
        for application in pyatspi.Registry.getDesktop(0):
            if application and application.get_process_id() == self.process.pid:
                return application
        return None

    def node(self, role, name, seconds=20):
        return wait(lambda: find(self.root, role, name), f"{role} “{name}”", seconds)

    def click(self, role, name):
        """With the pointer, at the middle of what is found; there is no window manager, so the window is at 0, 0."""
        node = self.node(role, name)
        box = wait(lambda: box_of(node), f"the place of {name}")
        xdotool("mousemove", box.x + box.width // 2, box.y + box.height // 2, "click", 1)
        return node

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


def type_into(window, label, text):
    node = window.node("text", label)

    def in_view():
        box = box_of(node)
        if box and 70 < box.y < 740:
            return True
        xdotool("mousemove", 40, 500, "click", 5)
        return False

    wait(in_view, f"{label} in view")
    window.click("text", label)
    xdotool("key", "ctrl+a")
    xdotool("type", "--delay", "15", "--", text)


def set_up(window):
    window.picture("1-experiments")
    say(True, "the gallery shows the default experiment")
    window.click("push button", "Set up Kolmogorov flow")
    window.node("push button", "Launch")
    type_into(window, "Sensors K", "-3")
    wait(lambda: "-3" in window.actions.state("launch-reason"), "a reason that names -3")
    say(not window.actions.enabled("launch"), "a negative K disables Launch with the reason")
    window.picture("2-invalid")
    type_into(window, "Sensors K", "10")
    wait(lambda: window.actions.enabled("launch"), "Launch")
    say(window.actions.state("launch-reason") == "", "K = 10 is taken")
    window.picture("3-set-up")


def sensors_of(window, start, seconds=30):
    return wait(lambda: pyatspi.findDescendant(
        window.root, lambda n: n.getRoleName() == "label" and n.name.startswith(start)), f"a label {start}", seconds).name


def place(window):
    window.actions.set("spin_up", "4")  # the plan is made of the same set-up: a short one
    window.actions.activate("place-sensors")
    field = window.node("image", "Sensors: Page Down chooses one, arrows move it, Insert adds, Delete removes", 120)
    sensors_of(window, "10 sensors", 120)
    window.picture("3-sensors")
    box = wait(lambda: box_of(field), "the field")
    x, y = box.x + box.width // 2 + 40, box.y + box.height // 2
    xdotool("mousemove", x, y, "click", "--repeat", 2, "--delay", 60, 1)
    before = sensors_of(window, "Sensor 11 of 11 at")
    say(True, "a double click puts a sensor on the field")
    xdotool("mousemove", x, y, "mousedown", 1, "mousemove", x + 20, y - 10, "mousemove", x + 60, y - 40, "mouseup", 1)
    wait(lambda: sensors_of(window, "Sensor 11 of 11 at") != before, "a sensor that moves")
    say(True, "the pointer drags it")
    window.picture("3-sensors-dragged")
    xdotool("key", "ctrl+z")
    wait(lambda: sensors_of(window, "Sensor 11 of 11 at") == before, "the move undone")
    say(True, "undo takes a drag back in one step")
    xdotool("mousemove", x, y, "click", 3)
    window.node("menu item", "Add Sensor Here")
    xdotool("mousemove", box.x + 20, 80, "click", 1)  # beside the menu: it closes
    say(True, "a menu opens where the pointer is")
    xdotool("mousemove", x, y, "click", 1, "key", "Delete")
    sensors_of(window, "Sensor 10 of 10 at")
    say(True, "Delete removes it")
    xdotool("key", "ctrl+z")
    sensors_of(window, "Sensor 10 of 11 at")
    window.click("push button", "Reset")
    sensors_of(window, "10 sensors")
    window.click("push button", "Back to the parameters")
    window.actions.set("spin_up", "60")


def steer(window):
    window.click("push button", "Launch")
    wait(lambda: window.actions.state("frames-shown") > 0, "the first frame", 180)
    window.wait_state("run-state", "running")
    say(True, "the run shows frames")
    window.picture("4-running")
    window.click("push button", "Pause")
    window.wait_state("run-state", "paused")
    before = window.actions.state("run-step")
    say(True, "Pause pauses")
    window.click("push button", "Step")
    wait(lambda: window.actions.state("run-step") == before + 1 and window.actions.state("run-state") == "paused",
         "one step", 60)
    say(True, "Step does one step and waits")
    window.picture("5-paused")
    window.click("push button", "Resume")
    wait(lambda: window.actions.state("run-step") > before + 1, "a step after Resume")
    say(True, "Resume goes on")


def wait_reading(window, word):
    return wait(lambda: pyatspi.findDescendant(
        window.root, lambda n: n.getRoleName() == "label" and n.name.startswith("x ") and word in n.name), f"a reading of {word}")


def probe(window):
    field = window.node("image", "Fields of truth and reconstructions")
    box = wait(lambda: box_of(field), "the fields")
    x, y = box.x + box.width // 6, box.y + box.height // 3
    xdotool("mousemove", x, y)
    xdotool("mousemove", x + 3, y + 3)
    reading = wait_reading(window, "Truth")
    say("Ensemble Kalman filter" in reading.name, "the probe reads every field")
    window.actions.activate("view", "errors")
    wait_reading(window, "Ensemble Kalman filter − truth")
    say(True, "the errors stand in place of the fields")
    window.picture("6-errors")
    window.actions.activate("view", "fields")
    for _ in range(3):
        xdotool("click", 4)
    window.picture("6-zoomed")
    xdotool("mousedown", 1, "mousemove", x + 40, y + 30, "mouseup", 1)
    xdotool("key", "0")


def choose_range(window):
    timeline = wait(lambda: pyatspi.findDescendant(
        window.root, lambda n: n.name.startswith("Timeline; ")), "the timeline")
    box = wait(lambda: box_of(timeline), "the place of the timeline")
    y = box.y + 60  # below the strip: the ruler
    xdotool("mousemove", box.x + 300, y, "mousedown", 1, "mousemove", box.x + 330, y,
            "mousemove", box.x + 700, y, "mouseup", 1)
    before = sensors_of(window, "Range ")
    say("records" in before, "a drag on the ruler chooses a range")
    window.picture("7-range")
    xdotool("mousemove", box.x + 400, box.y + 110, "click", 1, "key", "period")
    wait(lambda: "step" in (timeline.description or ""), "a span that is selected, in words")
    say(True, "keys go from span to span, and say which")
    xdotool("key", "Escape")
    window.picture("7-cleared")


def look_and_leave(window):
    window.click("page tab", "Timeline")
    window.node("label", "ensemble forecast", 30)
    say(True, "the timeline's table names the operations")
    window.picture("7-timeline")
    choose_range(window)
    window.actions.activate("stop")
    window.wait_state("run-state", "ended", 60)
    for kind, name in (("figure", "figure.pdf"), ("report", "report.pdf"), ("trace", "trace.json"), ("data", "data.h5")):
        path = pathlib.Path(window.scratch, name)
        window.actions.activate(f"export-{kind}-to", str(path))
        wait(lambda: window.actions.state("exported") == str(path) and path.stat().st_size > 500, f"{name}", 60)
        say(True, f"{name} is written")
    window.picture("8-exported")
    window.actions.activate("export-figure-to", str(pathlib.Path(window.scratch, "no-such-folder", "figure.pdf")))
    wait(lambda: window.process.poll() is None and window.actions.enabled("export-figure"), "a window that goes on")
    say(True, "a folder that is not there leaves the window usable")


def main(program, scratch):
    window = Window(program, scratch)
    try:
        set_up(window)
        place(window)
        steer(window)
        probe(window)
        look_and_leave(window)
        window.actions.activate("close")
        say(wait(lambda: window.process.poll() is not None, "the end of the program", 20)
            and window.process.returncode == 0, "the window closes and the program ends well")
    except (TimeoutError, subprocess.CalledProcessError, GLib.Error) as problem:
        say(False, str(problem))
        try:
            window.picture("failed")
        except Exception:
            pass
    finally:
        if window.process.poll() is None:
            window.process.kill()
    print(f"1..{len(STEPS)}")
    return 0 if all(STEPS) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2]))
