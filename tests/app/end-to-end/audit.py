#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Accessibility of every page: interactive widgets have names, and all of them can be reached by keyboard.

Run by tests/app/end-to-end/end-to-end.sh, using its window driver. Reads names through AT-SPI while a small run is shown on the
pages; keys come from xdotool.
"""
import subprocess
import sys

from gi.repository import GLib

from accessible import SENSITIVE
from window_driver import STEPS, Window, pause, say, wait, walk_to, xdotool

# Interactive widgets and those that show a value need an identifying name.
NAMED = {
    "push button", "toggle button", "check box", "radio button", "combo box", "text", "entry", "password text", "spin button",
    "slider", "page tab", "menu item", "check menu item", "radio menu item", "list item", "table cell", "tree table", "table",
    "image", "link", "level bar", "progress bar", "dialog", "frame", "switch", "scroll bar", "column header", "table column header",
}
# Scroll bars belong to their page; widgets nested in a named row by a GTK template need no name.
UNSAID = {"scroll bar"}


def described(node):
    """Returns the location of a nameless node: its ancestors' roles and names."""
    path, above = [], node
    while above is not None and above.role != "application" and len(path) < 7:
        path.append(above.role + (f" “{above.name}”" if above.name else ""))
        above = above.parent
    return " < ".join(path)


def says(node, ours):
    """Returns its name, or the text of a label or the name of a picture in it. A class name set by GTK counts as none, except for icons and parts of
    GTK's own windows."""
    role = node.role
    if role == "image" and node.parent.parent.name == "GtkListItemWidget":  # check mark of a drop-down
        return True
    lent = ("Lac",) if role == "image" or not ours else ("Gtk", "Adw", "Lac")
    if node.name and not node.name.startswith(lent):
        return True
    return role in ("list item", "table cell") and any(child.name and (child.role == "label" or child.role == "image" and says(child, ours))
                                                       for child in node.all() if child != node)


def nameless(root, ours):
    return [described(node) for node in root.all() if node.role in NAMED - UNSAID and node.has(SENSITIVE) and not says(node, ours)]


def check_names(root, page, ours=True):
    found = nameless(root, ours)
    for place in found[:12]:
        print("# no name: " + place)
    say(not found, f"{page}: everything that can be acted on has a name")


def show(window, page):
    window.actions.activate("show-page", page)
    pause(0.7)


def run_small(window):
    for key, text in (("grid", "16"), ("spin_up", "2"), ("snapshots", "40"), ("observations", "12"), ("members", "8"), ("sensors", "6")):
        window.actions.set(key, text)
    wait(lambda: window.actions.enabled("launch"), "Start")
    window.actions.activate("launch")
    window.wait_state("run-state", "ended", 120)


def walk(window):
    window.actions.activate("configure", "kolmogorov")
    pause(0.7)
    seen = walk_to(window, "push button Start", 110)
    print(f"# the focus went through {len(seen)} places: " + "; ".join(map(str, seen)))
    say(True, "Tab goes through the whole set-up to Launch")
    say(len(set(seen)) > 12, "on the way it stops at every value")
    run_small(window)
    for page in ("live", "timeline", "runs", "compare"):
        show(window, page)  # pages are filled when first shown, and then stay in the tree
    check_names(window.program.read(), "all pages")
    for action, name in (("show-commands", "the command palette"), ("show-preferences", "the preferences"), ("show-shortcuts", "the shortcuts"), ("show-machine", "what the machine is")):
        before = window.windows()
        window.actions.activate(action)
        wait(lambda: len(window.windows()) > len(before), name)
        pause(0.5)
        opened = wait(lambda: [node for node in window.windows() if node not in before], name)[-1]
        check_names(opened, name, ours=action == "show-commands")
        xdotool("key", "Escape")
        pause(0.3)


def use_the_palette(window):
    show(window, "experiments")
    window.actions.activate("show-commands")
    wait(lambda: window.find(lambda node: node.name == "Search commands"), "the palette")
    xdotool("type", "--delay", "15", "interpolate")
    xdotool("key", "Return")
    say(wait(lambda: window.actions.state("smooth"), "the command of the palette", 10), "a command is found by words and run by Enter, however soon it follows")


def main(program, scratch):
    window = Window(program, scratch)
    try:
        walk(window)
        use_the_palette(window)
    except (TimeoutError, subprocess.CalledProcessError, GLib.Error) as problem:
        say(False, str(problem))
    finally:
        if window.process.poll() is None:
            window.process.kill()
    print(f"1..{len(STEPS)}")
    return 0 if all(STEPS) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2]))
